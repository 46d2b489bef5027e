import { createServer, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createOperationsPage } from '#infra/local/operations-page/operations-page.ts';
import { operatorRoutes } from '#infra/operators/operator-routes.ts';
import { OPERATION } from '#test/support/ids.ts';
import { lookedUp } from '#test/support/looked-up.ts';
import { offRamp } from '#test/support/off-ramp.ts';
import { opsWorld } from '#test/support/ops-world.ts';
import { serviceNowhere } from '#test/support/service-nowhere.ts';
import { listeningOn } from '#test/support/webhook-receiver.ts';

const definition = JSON.stringify({ StartAt: 'One', States: { One: { Type: 'Succeed' } } });

/** The page over an API, on a port of its own. */
async function served(answering: typeof fetch = lookedUp().fetch) {
  const server = createServer();
  const port = await listeningOn(server);
  onTestFinished(() => void server.close());
  const service = { ...serviceNowhere, fetch: answering };
  server.on('request', await createOperationsPage({ service, definition, port }));
  const get = (path: string, { host = `localhost:${port}`, method = 'GET' } = {}) =>
    new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }>((resolve, reject) => {
      request({ host: '127.0.0.1', port, path, method, headers: { host } }, (response) => {
        const { statusCode: status = 0, headers } = response;
        void text(response).then((body) => resolve({ status, headers, body }));
      })
        .on('error', reject)
        .end();
    });
  return { port, get };
}

const everything = ['', '/page.js', '/page.css', '/parts.css', '/graph.css', '/graph.json', '/data/waiting', '/no'];

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

  test('runs nothing of elsewhere, and is for no page of another origin, whatever is asked for', async () => {
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

  test('asks for nothing that changes something, or that says anything of a person', async () => {
    const { get } = await served(() => Promise.reject(new Error('Nothing is asked.')));
    const names = operatorRoutes
      .filter(({ contract }) => contract.method !== 'GET')
      .map(({ contract }) => contract.name);
    expect(names).toContain('create-client');
    for (const name of [...names, 'client', 'user', '../client', '']) {
      expect((await get(`/operations/data/${name}`)).status).toBe(404);
    }
  });
});
