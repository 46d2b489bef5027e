import { execFileSync } from 'node:child_process';
import { createServer, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { inShell } from '#infra/cli/operations-page/browser/in-shell.ts';
import { createOperationsPage } from '#infra/cli/operations-page/operations-page.ts';
import { operatorRoutes } from '#infra/operators/operator-routes.ts';
import { OPERATION } from '#test/support/ids.ts';
import { lookUpWorld } from '#test/support/look-up-world.ts';
import { textOf } from '#test/support/markdown.ts';
import { CREATED_AT, offRamp } from '#test/support/off-ramp.ts';
import { opsWorld } from '#test/support/ops-world.ts';
import { serviceNowhere } from '#test/support/service-nowhere.ts';
import { listenLocally } from '#test/support/webhook-receiver.ts';

interface Asked {
  readonly host?: string;
  readonly method?: string;
  readonly token?: string | undefined;
}

/** A call as another program of this machine may make it. */
function call(port: number, path: string, { host = `127.0.0.1:${port}`, method = 'GET', token }: Asked = {}) {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }>((resolve, reject) => {
    const headers = { host, ...(token !== undefined && { 'X-Page-Token': token }) };
    request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      const { statusCode: status = 0, headers } = response;
      void text(response).then((body) => resolve({ status, headers, body }));
    })
      .on('error', reject)
      .end();
  });
}

/** The page that `npm start` serves over an API, on a free port. */
async function served(answering: typeof fetch = lookUpWorld().fetch) {
  const server = createServer();
  const port = await listenLocally(server);
  onTestFinished(() => void server.close());
  const service = { ...serviceNowhere, fetch: answering };
  server.on('request', await createOperationsPage({ service, options: `--port ${port}`, port }));
  return { port, get: (path: string, asked?: Asked) => call(port, path, asked) };
}

/** The functions of the browser's script, typed here because the project has no types of a browser. */
const lists = z.object({
  countOf: z.custom<(answer: unknown) => string>(),
  listIn: z.custom<(answer: unknown) => unknown>(),
  listView: z.custom<(name: string, list: unknown) => unknown>(),
});

test.each([
  ['what cannot be read', { items: [], unreadableIds: ['a', 'b'] }, '2', 'Missing, because they cannot be read: a, b'],
  [
    'that it goes on, although all of a page were dealt with',
    { items: [], nextSince: CREATED_AT },
    '0+',
    'There are more',
  ],
  ['that nothing waits', { items: [] }, '0', 'Nothing waits here.'],
])('a list on the page says %s', async (_, answer, count, words) => {
  const element = () => ({ said: [] as unknown[], setAttribute: () => undefined, append });
  function append(this: { said: unknown[] }, ...content: readonly unknown[]) {
    this.said.push(...content);
  }
  vi.stubGlobal('document', { createElement: element });
  onTestFinished(() => void vi.unstubAllGlobals());
  const { href } = new URL('../../../../infra/cli/operations-page/browser/lists.ts', import.meta.url);
  const { countOf, listIn, listView } = lists.parse(await import(href));
  expect(countOf(answer)).toBe(count);
  expect(JSON.stringify(listView('owed', listIn(answer)))).toContain(words);
});

const everything = ['', '/page.js', '/page.css', '/parts.css', '/graph.css', '/setup', '/data/waiting', '/no'];

describe('the page of operations', () => {
  test('is answered under the names of this machine and its port, and under no other: a name may be rebound', async () => {
    const { port, get } = await served();
    const statusOf = async (host: string) => (await get('/operations/data/waiting', { host })).status;
    for (const name of ['localhost', '127.0.0.1', '[::1]']) expect(await statusOf(`${name}:${port}`)).toBe(200);
    const others = [
      'localhost',
      `localhost:${port + 1}`,
      `attacker.example:${port}`,
      `localhost.attacker.example:${port}`,
    ];
    for (const host of others) expect(await statusOf(host)).toBe(403);
  });

  test('runs no script from elsewhere, and answers no page of another origin, whatever it asks for', async () => {
    const { get } = await served();
    for (const path of everything) {
      const { headers } = await get(`/operations${path}`);
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';.*frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'$/,
      );
      expect(headers).toMatchObject({
        'cross-origin-resource-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
      });
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });

  test('answers what the command line prints for programs, and nothing else', async () => {
    const { ops, table, fetch } = opsWorld();
    table('operations').put({ ...offRamp(), record: 'OPERATION' });
    const { get } = await served(fetch);
    const { printed } = await ops(['operation', OPERATION, '--json']);
    expect(JSON.parse(printed)).toMatchObject({ operationId: OPERATION });
    const { headers, body } = await get(`/operations/data/operation?operation=${OPERATION}`);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(JSON.parse(body)).toEqual({ answer: JSON.parse(printed) });
  });

  test('calls nothing that changes something, or that shows personal data', async () => {
    const { get } = await served(() => Promise.reject(new Error('Nothing is asked.')));
    const names = operatorRoutes
      .filter(({ contract }) => contract.method !== 'GET')
      .map(({ contract }) => contract.name);
    expect(names).toContain('create-client');
    for (const name of [...names, 'client', 'user', '../client', '']) {
      expect((await get(`/operations/data/${name}`)).status).toBe(404);
    }
  });

  test('has every list that the documentation has', async () => {
    const { get } = await served();
    const { lists } = JSON.parse((await get('/operations/setup')).body);
    const [, table = ''] = textOf('docs/operations.md').split(/^\| `npm run ops -- …` \|.*\n/m);
    const documented = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name]) => name);
    expect(documented).toEqual(expect.arrayContaining(['unmatched', 'owed', 'proposals', 'dead-letters']));
    expect(lists.map(({ name }: { readonly name: string }) => name).toSorted()).toEqual(documented.toSorted());
  });
});

describe('npm run ops -- page', () => {
  test('serves the page only to people who have its address, which is random, and to nobody else on this machine', async () => {
    const { ops, table } = opsWorld();
    table('operations').put({ ...offRamp(), record: 'OPERATION' });
    const looked = `/operations/data/operation?operation=${OPERATION}`;
    const tokens: string[] = [];
    const meanwhile = async (printed: string) => {
      const { hostname, port: at, pathname, hash } = new URL(printed);
      const [port, token] = [Number(at), hash.replace('#token=', '')];
      expect([hostname, pathname]).toEqual(['127.0.0.1', '/operations']);
      expect(token).toMatch(/^[\w-]{43}$/);
      tokens.push(token);
      const mine = await call(port, looked, { token });
      expect(JSON.parse(mine.body)).toMatchObject({ answer: { operationId: OPERATION } });
      const others = [
        {},
        { token: '' },
        { token: `${token}x` },
        { token: token.slice(1) },
        { token: tokens[0] === token ? 'x' : tokens[0] },
      ];
      for (const given of others)
        for (const path of [looked, '/operations/setup', '/operations/data/unmatched'])
          expect((await call(port, path, given)).status).toBe(401);
      // Another program may listen on ::1, so the page accepts no host name, not even localhost.
      for (const host of [`localhost:${port}`, `[::1]:${port}`, `attacker.example:${port}`])
        expect((await call(port, looked, { host, token })).status).toBe(403);
      const preflight = await call(port, looked, { method: 'OPTIONS', token });
      expect([
        preflight.status,
        Object.keys(preflight.headers).filter((name) => name.startsWith('access-control-')),
      ]).toEqual([405, []]);
    };
    for (const _ of [1, 2]) {
      const { status, said } = await ops(['page', '--stage', 'staging'], { meanwhile });
      expect([status, said]).toEqual([0, expect.stringContaining('until Ctrl-C')]);
    }
    expect(new Set(tokens).size).toBe(2);
  });

  test.each([
    OPERATION,
    'dlv_0a1b',
    'invoice 7',
    "it's",
    '$(touch hacked)',
    '`touch hacked`',
    "'; touch hacked; '",
    '#7',
    '~',
    '*',
    'a\\',
    'ñ',
  ])('shows a command in which %j is one argument, and nothing that a shell runs', (given) => {
    const read = execFileSync('sh', ['-c', `for one in ${inShell(given)}; do printf '%s\\n' "$one"; done`]);
    expect(read.toString()).toBe(`${given}\n`);
  });

  test('shows with which options the command line calls the same stage, and ends with the command', async () => {
    let address = '';
    const meanwhile = async (printed: string) => {
      address = printed.trim();
      const { port, hash } = new URL(address);
      const { body } = await call(Number(port), '/operations/setup', { token: hash.replace('#token=', '') });
      expect(JSON.parse(body)).toMatchObject({ service: 'the test', options: '--stage prod --profile finance' });
    };
    const { ops } = opsWorld();
    expect((await ops(['page', '--stage', 'prod', '--profile', 'finance'], { meanwhile })).status).toBe(0);
    await expect(call(Number(new URL(address).port), '/operations')).rejects.toThrow('ECONNREFUSED');
    const { status, calls } = await ops(['page', '--profile', 'finance'], {});
    expect([status, calls]).toEqual([2, 0]);
  });
});
