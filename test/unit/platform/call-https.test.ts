import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod/mini';
import { createCallHttps } from '#shared/platform/call-https.ts';
import { fakeClock } from '#test/support/fake-clock.ts';

/** A server that answers the first request on each connection, and does this with the next one. */
async function forgetfulServer(next: (socket: Socket) => void = (socket) => socket.destroy()) {
  const requests: string[] = [];
  const agents: unknown[] = [];
  const used = new WeakSet<object>();
  const server = createServer((request, response) => {
    requests.push(request.method ?? '');
    agents.push(request.headers['user-agent']);
    if (used.has(request.socket)) return next(request.socket);
    used.add(request.socket);
    return response.end('answer');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = z.object({ port: z.int() }).parse(server.address());
  const clock = fakeClock('2026-11-25T12:00:00.000Z');
  const call = createCallHttps(clock, { milliseconds: 10_000, bytes: 1000 });
  const ask = (method: 'GET' | 'POST') => call({ url: `http://127.0.0.1:${port}`, method, headers: {} });
  return { ask, requests, agents, clock };
}

test('decisions 12: a call has a user agent, because firewalls of providers refuse calls without one', async () => {
  const { ask, agents } = await forgetfulServer();
  await ask('GET');
  expect(agents).toEqual(['Node.js']);
});

describe('decisions 12: a kept connection that was closed meanwhile', () => {
  test('is no outage for a GET, which is sent again on another one', async () => {
    const { ask, requests } = await forgetfulServer();
    await ask('GET');
    expect((await ask('GET')).text).toBe('answer');
    expect(requests).toEqual(['GET', 'GET', 'GET']);
  });

  test('is an outage for a POST, because nobody knows whether the POST was carried out', async () => {
    const { ask, requests } = await forgetfulServer();
    await ask('GET');
    await expect(ask('POST')).rejects.toMatchObject({ name: 'NoAnswer', why: 'UNREACHABLE' });
    expect(requests).toEqual(['GET', 'POST']);
  });
});

describe('a call that takes too long', () => {
  test('ends, also on a kept connection, and is not sent again', async () => {
    const { promise: hung, resolve: hang } = Promise.withResolvers<Socket>();
    const { ask, requests, clock } = await forgetfulServer(hang);
    await ask('GET');
    const late = ask('GET');
    const socket = await hung;
    const closed = once(socket, 'close');
    clock.advance(10);
    await expect(late).rejects.toMatchObject({ name: 'NoAnswer', why: 'LATE' });
    await closed;
    // When the request of another caller has arrived, everything sent before it has arrived, too.
    expect((await ask('GET')).text).toBe('answer');
    expect(requests).toEqual(['GET', 'GET', 'GET']);
  });
});
