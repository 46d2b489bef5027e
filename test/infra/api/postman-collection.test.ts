import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { COLLECTION_FILE, printedCollection } from '#infra/api/openapi/postman-collection.ts';
import { textOf } from '#test/support/markdown.ts';
import { openApiText, publishedContract } from '#test/support/openapi.ts';

const text = textOf(COLLECTION_FILE);
const request = z.object({
  method: z.string(),
  auth: z.optional(z.object({ type: z.string() })),
  url: z.object({ path: z.array(z.string()) }),
  body: z.optional(z.unknown()),
});
const { item: folders } = z
  .object({ item: z.array(z.object({ item: z.array(z.object({ request })) })) })
  .parse(JSON.parse(text));
const requests = folders.flatMap(({ item }) => item.map((one) => one.request));
const routeOf = ({ method, url }: z.infer<typeof request>) =>
  `${method} /${url.path.map((part) => part.replace(/^:(.*)$/, '{$1}')).join('/')}`;

test('the collection for Postman is generated from the published contract: if this fails, run npm run openapi', () => {
  expect(text === printedCollection(openApiText)).toBe(true);
});

test('the collection has every route once, with a token exactly where one is needed', () => {
  const published = Object.entries(publishedContract.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security }]) => [
      `${method.toUpperCase()} ${path}`,
      security.some((scheme) => 'bearerAuth' in scheme),
    ]),
  );
  const found = requests.map((one) => [routeOf(one), one.auth?.type !== 'noauth']);
  const byRoute = (one: readonly unknown[], other: readonly unknown[]) => String(one).localeCompare(String(other));
  expect(found.toSorted(byRoute)).toEqual(published.toSorted(byRoute));
});

test('the collection can still be sent next year: no body has a date, and a token is requested as the chosen client', () => {
  const bodies = requests.map((one) => [routeOf(one), JSON.stringify(one.body ?? '')] as const);
  expect(bodies.filter(([, body]) => /\d{4}-\d\d-\d\d/.test(body))).toEqual([]);
  const asks = bodies.filter(([route]) => route.endsWith('/token')).map(([, body]) => body.match(/\{\{\w+\}\}/g));
  expect(asks).toEqual(Array(2).fill(['{{clientId}}', '{{clientSecret}}']));
});

test('the collection can be sent twice, because it ends with an approved client', () => {
  const body = requests.find((one) => routeOf(one) === 'POST /api/sandbox/client')?.body;
  expect(body).toMatchObject({ raw: JSON.stringify({ complianceStatus: 'approved' }, undefined, 2) });
});

test('the collection uses a newly chosen client or address at once, even within the five minutes of a token', () => {
  const { event } = z
    .object({ event: z.array(z.object({ script: z.object({ exec: z.array(z.string()) }) })) })
    .parse(JSON.parse(text));
  const kept = new Map<string, string>();
  const collectionVariables = {
    get: (name: string) => kept.get(name),
    set: (name: string, value: string) => kept.set(name, value),
    unset: (name: string) => kept.delete(name),
  };
  /** The token that the script before a request gets for this client; the client `nobody` gets none. */
  const tokenAs = (baseUrl: string, clientId: string) => {
    const chosen = new Map(Object.entries({ baseUrl, clientId, clientSecret: 'secret' }));
    const sendRequest = ({ url }: { url: string }, done: (error: null, response: object) => void) =>
      done(null, { code: clientId === 'nobody' ? 401 : 200, json: () => ({ access_token: `${clientId} ${url}` }) });
    const pm = { request: {}, variables: chosen, collectionVariables, sendRequest };
    // As Newman runs it: with a parameter `request`, and without await.
    runInNewContext(`((request) => {${event[0]?.script.exec.join('\n')}})()`, { pm });
    expect(Date.parse(chosen.get('anHourAgo') ?? '')).toBeLessThan(Date.now());
    return kept.get('token');
  };
  const token = (clientId: string, host: string) => `${clientId} https://${host}/api/v1/client/token`;
  expect(tokenAs('https://staging', 'one')).toBe(token('one', 'staging'));
  expect(tokenAs('https://staging', 'two')).toBe(token('two', 'staging'));
  expect(tokenAs('https://prod', 'two')).toBe(token('two', 'prod'));
  expect(tokenAs('https://prod', 'nobody')).toBeUndefined();
});
