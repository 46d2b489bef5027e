import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '#shared/platform/clock.ts';
import { type CallResult, createCallWebhook } from '#shared/webhooks/http-client/call-webhook.ts';
import { bareEndpoint } from '#test/support/webhook-receiver.ts';

/** The connections are real; only the time that a call waits is the test's. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
});

/** A call to an endpoint with the limits of production; returns once its first bytes have arrived there. */
async function callTo(speak: (socket: Socket) => void, change: (url: URL) => URL = (url) => url) {
  const arrived = Promise.withResolvers<Socket>();
  const url = await bareEndpoint((socket) => {
    arrived.resolve(socket);
    speak(socket);
  });
  const results: CallResult[] = [];
  const call = { url: change(url), addresses: ['127.0.0.1'], method: 'POST', headers: {}, body: '{}' } as const;
  const result = createCallWebhook(systemClock)(call).then((each) => results.push(each));
  return { socket: await arrived.promise, results, result };
}

/** Lets milliseconds go by, and whatever is on the wire arrive. */
async function pass(milliseconds: number): Promise<void> {
  vi.advanceTimersByTime(milliseconds);
  for (let turn = 0; turn < 20; turn += 1) await setImmediate();
}

/** One byte after another, as long as somebody listens. */
function drip(start: string) {
  return (socket: Socket) => {
    socket.write(start);
    const dripping = setInterval(() => socket.write('x'), 1);
    socket.on('close', () => clearInterval(dripping));
  };
}

describe('decisions 7, retries: an endpoint that does not come to an end', () => {
  test.each([
    ['never answers', () => undefined],
    ['sends its head byte by byte', drip('HTTP/1.1 200 OK\r\nx-filler: ')],
    ['sends its body byte by byte', drip('HTTP/1.1 200 OK\r\ncontent-length: 15000\r\n\r\n')],
    ['sends its body byte by byte, of unknown length', drip('HTTP/1.1 200 OK\r\n\r\n')],
    ['stops in its body', (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nthan')],
  ])('and %s is TIMEOUT after 15 s in all', async (_, speak) => {
    const { socket, results, result } = await callTo(speak);
    for (let second = 1; second < 15; second += 1) await pass(1000);
    await pass(999);
    expect(results).toEqual([]);
    const closed = once(socket.resume(), 'close');
    await pass(1);
    await result;
    expect(results).toEqual([{ error: 'TIMEOUT' }]);
    await closed;
  });

  test('and takes the connection but no TLS is TIMEOUT after 5 s', async () => {
    const overTls = (url: URL) => new URL(`https://hooks.example.com:${url.port}/`);
    const { results, result } = await callTo(() => undefined, overTls);
    await pass(4999);
    expect(results).toEqual([]);
    await pass(1);
    await result;
    expect(results).toEqual([{ error: 'TIMEOUT' }]);
  });
});

test('a call that ended leaves no timer behind', async () => {
  const { results, result } = await callTo((socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n'));
  await result;
  expect(results).toEqual([{ statusCode: 204 }]);
  expect(vi.getTimerCount()).toBe(0);
});
