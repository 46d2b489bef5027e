import * as z from 'zod/mini';

/** The file with the Postman collection, relative to the project. */
export const COLLECTION_FILE = 'docs/postman-collection.json';

const parameter = z.object({ name: z.string(), in: z.enum(['path', 'query', 'header']), description: z.string() });
const referred = z.object({ $ref: z.string() });
const operation = z.object({
  summary: z.string(),
  description: z.optional(z.string()),
  tags: z.array(z.string()),
  security: z.array(z.record(z.string(), z.unknown())),
  parameters: z.array(z.union([referred, parameter])),
  requestBody: z.optional(
    z.object({ content: z.record(z.string(), z.object({ example: z.record(z.string(), z.unknown()) })) }),
  ),
});
const document = z.object({
  info: z.object({ title: z.string() }),
  servers: z.array(z.object({ url: z.string() })),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operation)),
});

type Operation = z.infer<typeof operation>;

/**
 * Runs before each request. A token is kept until shortly before its five minutes end, together with the client and the
 * address that it was issued for: after a change of environment, no call uses the previous client's token. Newman runs
 * the script as the body of a function that may not await and has a parameter `request`, and waits for its requests.
 */
const GET_TOKEN = `const { variables, collectionVariables } = pm;
variables.set('anHourAgo', new Date(Date.now() - 3600000).toISOString());
if (pm.request.auth && pm.request.auth.type === 'noauth') return;
const whose = variables.get('clientId') + ' at ' + variables.get('baseUrl');
if (collectionVariables.get('tokenOf') === whose && Number(collectionVariables.get('tokenEnds')) > Date.now()) return;
collectionVariables.unset('tokenOf');
collectionVariables.unset('token');
const body = JSON.stringify({ client_id: variables.get('clientId'), client_secret: variables.get('clientSecret') });
pm.sendRequest({
  url: variables.get('baseUrl') + '/api/v1/client/token',
  method: 'POST',
  header: { 'Content-Type': 'application/json' },
  body: { mode: 'raw', raw: body },
}, (error, response) => {
  if (error || response.code !== 200) return;
  collectionVariables.set('token', response.json().access_token);
  collectionVariables.set('tokenEnds', String(Date.now() + 270000));
  collectionVariables.set('tokenOf', whose);
});`;

/**
 * Generates a Postman collection (2.1) of every route from the text of `openapi.json`. The library for this,
 * openapi-to-postmanv2, brings some forty packages, invents values where the document has examples, gives other ids at
 * each run, and does not know how to obtain a token.
 */
export function printedCollection(openApiText: string): string {
  const { info, servers, tags, paths } = document.parse(JSON.parse(openApiText));
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({ path, method, one })),
  );
  const names = routes.flatMap(({ path }) => namesIn(path)).filter((name) => name !== 'clientId');
  const folders = tags.map(({ name, description }) => ({
    name,
    description,
    item: routes.filter(({ one }) => one.tags.includes(name)).map((route) => itemOf(route)),
  }));
  const collection = {
    info: { name: info.title, schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    event: [{ listen: 'prerequest', script: { type: 'text/javascript', exec: GET_TOKEN.split('\n') } }],
    variable: [
      { key: 'baseUrl', value: servers[0]?.url },
      ...['clientId', 'clientSecret', ...new Set(names)].map((key) => ({ key, value: '' })),
    ],
    item: folders.filter(({ item }) => item.length > 0),
  };
  return `${JSON.stringify(collection, undefined, 2)}\n`;
}

const namesIn = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

function itemOf({ path, method, one }: { readonly path: string; readonly method: string; readonly one: Operation }) {
  const query = one.parameters.filter((each) => 'in' in each && each.in === 'query');
  const takesKey = one.parameters.some((each) => '$ref' in each && each.$ref.endsWith('/IdempotencyKey'));
  const [[type, media] = []] = Object.entries(one.requestBody?.content ?? {});
  const shown = path.replaceAll(/\{(\w+)\}/g, ':$1');
  return {
    name: one.summary,
    request: {
      ...(one.security.some((scheme) => 'bearerAuth' in scheme) ? {} : { auth: { type: 'noauth' } }),
      method: method.toUpperCase(),
      description: one.description ?? '',
      header: [
        ...(type === undefined ? [] : [{ key: 'Content-Type', value: type }]),
        ...(takesKey ? [{ key: 'Idempotency-Key', value: '{{$guid}}' }] : []),
      ],
      url: {
        raw: `{{baseUrl}}${shown}`,
        host: ['{{baseUrl}}'],
        path: shown.slice(1).split('/'),
        query: query.map((each) => ({
          ...('in' in each && { key: each.name, description: each.description }),
          value: '',
          disabled: true,
        })),
        variable: namesIn(path).map((key) => ({ key, value: `{{${key}}}` })),
      },
      ...(media === undefined || type === undefined ? {} : { body: bodyOf(type, media.example) }),
    },
  };
}

/** Variables for example values that would be refused: credentials of no client, and a time that becomes too old. */
const FILLED = { client_id: '{{clientId}}', client_secret: '{{clientSecret}}', since: '{{anHourAgo}}' };

function bodyOf(type: string, given: Readonly<Record<string, unknown>>) {
  const filled = Object.entries(FILLED).filter(([name]) => name in given);
  const example = { ...given, ...Object.fromEntries(filled) };
  if (type !== 'application/json') {
    return { mode: 'urlencoded', urlencoded: Object.entries(example).map(([key, value]) => ({ key, value })) };
  }
  return { mode: 'raw', raw: JSON.stringify(example, undefined, 2), options: { raw: { language: 'json' } } };
}
