import { createServer, type IncomingMessage, type RequestListener, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { startForwarder } from '#infra/local/forwarder.ts';
import { freePort } from '#infra/local/free-port.ts';
import { listenLocally } from '#test/support/webhook-receiver.ts';

async function forwarding() {
  const api = createServer(({ url, headers }, response) =>
    response.end(url === '/clients/headers' ? JSON.stringify(headers) : url),
  );
  const apiPort = await listenLocally(api);
  const port = await freePort();
  const forwarder = await startForwarder(port);
  onTestFinished(async () => {
    await forwarder.stop();
    api.close();
  });
  const at = (stage: string) => `http://127.0.0.1:${apiPort}/${stage}`;
  const base = `http://127.0.0.1:${port}`;
  const operationsPage: RequestListener = (request, response) => response.end(`the page ${request.url}`);
  return { forwarder, base, targets: { clientsApi: at('clients'), providersApi: at('providers'), operationsPage } };
}

test('the base URL leads to the documentation, every other path to the API that it belongs to', async () => {
  const { forwarder, base, targets } = await forwarding();
  forwarder.forwardTo(targets);
  const first = await fetch(base, { redirect: 'manual' });
  expect([first.status, first.headers.get('location')]).toEqual([302, '/api/docs']);
  const read = async (path: string) => (await fetch(`${base}${path}`)).text();
  expect(await read('/')).toBe('/clients/api/docs');
  expect(await read('/api/parameters/banks?x=1')).toBe('/clients/api/parameters/banks?x=1');
  expect(await read('/api/custodian/notifications')).toBe('/providers/api/custodian/notifications');
  for (const path of ['/operations', '/operations?list=waiting', '/operations/page.js'])
    expect(await read(path)).toBe(`the page ${path}`);
  expect(await read('/operationsx')).toBe('/clients/operationsx');
});

test('until the service is there, everything is 503', async () => {
  const { base } = await forwarding();
  for (const path of ['/', '/api/docs']) {
    const answer = await fetch(`${base}${path}`);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
  }
});

test('a call of a browser reaches the local AWS, which refuses browsers, without the headers of one, and otherwise unchanged', async () => {
  const { forwarder, base, targets } = await forwarding();
  forwarder.forwardTo(targets);
  const sent = {
    Authorization: 'Bearer a.b.c',
    Origin: base,
    'Sec-Fetch-Site': 'same-origin',
    'Sec-Fetch-Mode': 'cors',
  };
  const answer = await new Promise<IncomingMessage>((resolve, reject) =>
    request(`${base}/headers`, { headers: sent }, resolve).on('error', reject).end(),
  );
  const { connection: _, host, ...headers } = JSON.parse(await text(answer));
  expect(headers).toEqual({ authorization: 'Bearer a.b.c' });
});
