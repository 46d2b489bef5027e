// Runs in the browser, beside the renderer. Calls made from the page go to the service that the page comes from.
const { description: address } = document.getElementById('docs').dataset;
const description = await (await fetch(address)).json();

/** The key under which the renderer stores its authorisation. */
const KEPT = 'authorized';

/** Access tokens outlive a reload of the page, and end after five minutes. A client's secret is stored nowhere. */
const keepNoSecrets = {
  statePlugins: {
    auth: {
      wrapActions: {
        persistAuthorizationIfNeeded: (persist) => () => {
          persist();
          const kept = Object.entries(JSON.parse(localStorage.getItem(KEPT) ?? '{}'));
          const tokens = kept
            .filter(([, { schema }]) => schema.scheme !== 'basic')
            .map(([name, { clientSecret, ...token }]) => [name, token]);
          localStorage.setItem(KEPT, JSON.stringify(Object.fromEntries(tokens)));
        },
      },
    },
  },
};

window.SwaggerUIBundle({
  spec: description,
  dom_id: '#docs',
  deepLinking: true,
  filter: true,
  persistAuthorization: true,
  plugins: [keepNoSecrets],
  requestSnippetsEnabled: true,
  validatorUrl: null,
});
