import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { getOpenapi } from '#functions/docs/get-openapi/get-openapi.ts';
import { type Description, withoutWebhooks } from '#shared/docs/without-webhooks.ts';
import { parseGatewayEvent } from '#shared/platform/http/event.ts';

const description = {
  openapi: '3.1.0',
  paths: {},
  webhooks: {},
  servers: [{ url: 'http://localhost:8080' }],
  externalDocs: { description: 'Guides', url: 'http://localhost:8080/api/docs' },
  components: {
    schemas: {},
    securitySchemes: { oauth2: { flows: { clientCredentials: { tokenUrl: '/api/token', scopes: {} } } } },
  },
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
])('a caller who asks %s is told to call the service there', async (_, domainName, path, base) => {
  const { body } = await served({ headers: { Host: 'forged.example' } }, { domainName, path });
  expect(body).toEqual({
    ...description,
    servers: [{ url: base }],
    externalDocs: { description: 'Guides', url: `${base}/api/docs` },
    components: {
      schemas: {},
      securitySchemes: { oauth2: { flows: { clientCredentials: { tokenUrl: `${base}/api/token`, scopes: {} } } } },
    },
  });
});

test('a caller of the local run is told to call it at its own port', async () => {
  const { body } = await served({ headers: { Host: 'localhost:18300' } }, { path: '/local/api/openapi.json' });
  expect(body).toMatchObject({
    servers: [{ url: 'http://localhost:18300' }],
    externalDocs: { url: 'http://localhost:18300/api/docs' },
  });
});

describe('a caller who asks for the contract without webhooks', () => {
  const refer = (name: string) => ({ $ref: `#/components/schemas/${name}` });

  test('gets every route, and only the schemas that routes reach', () => {
    const schemas = {
      Page: { items: refer('Item') },
      Item: { items: refer('Item') },
      Event: { of: refer('Item') },
      Error: {},
    };
    const whole = { ...description, paths: { '/api': refer('Page') }, webhooks: { created: refer('Event') } };
    const { Event: _, ...reached } = schemas;
    const { webhooks: __, ...rest } = whole;
    const responses = { NotFound: refer('Error') };
    expect(withoutWebhooks({ ...whole, components: { schemas, responses } })).toEqual({
      ...rest,
      components: { schemas: reached, responses },
    });
  });

  test('gets a published description in which each reference leads somewhere', () => {
    const whole = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'));
    const { paths, components } = withoutWebhooks<Description>(whole);
    const named = JSON.stringify({ paths, components }).matchAll(/"#\/components\/schemas\/(\w+)"/g);
    expect(paths).toEqual(whole.paths);
    expect(new Set(Object.keys(components.schemas))).toEqual(new Set([...named].map(([, name]) => name)));
  });
});
