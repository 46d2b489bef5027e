// Runs in the browser, beside the renderer. Calls made from the page go to the service that the page comes from.
const base = location.origin + location.pathname.replace(/\/api\/docs\/?$/, '');
const answer = await fetch(`${base}/api/openapi.json`);
const description = await answer.json();
window.SwaggerUIBundle({
  spec: { ...description, servers: [{ url: base }] },
  dom_id: '#docs',
  deepLinking: true,
  filter: true,
  persistAuthorization: true,
  requestSnippetsEnabled: true,
  validatorUrl: null,
});
