import { expect, test } from 'vitest';
import { getOpenapi } from '#functions/docs/get-openapi/get-openapi.ts';
import { parseGatewayEvent } from '#shared/platform/http/event.ts';

const description = {
  openapi: '3.1.0',
  servers: [{ url: 'http://localhost:8080' }],
  externalDocs: { description: 'Guides', url: 'http://localhost:8080/api/docs' },
  components: { securitySchemes: { oauth2: { flows: { clientCredentials: { tokenUrl: '/api/token', scopes: {} } } } } },
};

function served(event: object, requestContext: object) {
  const http = parseGatewayEvent({
    httpMethod: 'GET',
    path: '/api/openapi.json',
    resource: '/api/openapi.json',
    ...event,
    requestContext: { requestId: 'r', ...requestContext },
  });
  return getOpenapi(description)({
    clientId: '',
    path: {},
    query: () => ({}),
    body: () => ({}),
    bytes: () => http.rawBody,
    http,
  });
}

test.each([
  [
    'by the address of API Gateway, with the stage',
    'x.execute-api.aws',
    '/prod/api/openapi.json',
    'https://x.execute-api.aws/prod',
  ],
  ['by a domain of its own', 'api.example', '/api/openapi.json', 'https://api.example'],
])('who asks %s is told to call the service there', async (_, domainName, path, base) => {
  const { body } = await served({ headers: { Host: 'forged.example' } }, { domainName, path });
  expect(body).toEqual({
    ...description,
    servers: [{ url: base }],
    externalDocs: { description: 'Guides', url: `${base}/api/docs` },
    components: {
      securitySchemes: { oauth2: { flows: { clientCredentials: { tokenUrl: `${base}/api/token`, scopes: {} } } } },
    },
  });
});

test('who asks the local run is told to call it at its own port', async () => {
  const { body } = await served({ headers: { Host: 'localhost:18300' } }, { path: '/local/api/openapi.json' });
  expect(body).toMatchObject({
    servers: [{ url: 'http://localhost:18300' }],
    externalDocs: { url: 'http://localhost:18300/api/docs' },
  });
});
