import { createHook } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#shared/platform/clock.ts';
import { createCallWebhook } from '#shared/webhooks/http-client/call-webhook.ts';
import { signedHeaders } from '#shared/webhooks/http-client/sign-webhook.ts';
import { identities, testAuthority } from '#test/support/test-certificates.ts';
import { hasValidSignature } from '#test/support/verify-webhook.ts';
import { answering, bareEndpoint, listenLocally, receiving } from '#test/support/webhook-receiver.ts';

const callWebhook = createCallWebhook(systemClock, {
  connectMilliseconds: 5_000,
  totalMilliseconds: 10_000,
  ca: testAuthority,
});

const HEAD_OF_NINE = 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n';

/** The outcome of a call to an endpoint on this machine. */
function calling(
  url: URL,
  differences: { method?: 'POST' | 'PUT'; body?: string; headers?: Record<string, string> } = {},
) {
  return callWebhook({ url, addresses: ['127.0.0.1'], method: 'POST', headers: {}, body: '{}', ...differences });
}

describe('decisions 7, signing: the call that the endpoint gets', () => {
  test.each(['POST', 'PUT'] as const)('is one %s with the headers of the call, over https', async (method) => {
    const { url, received } = await receiving(answering(200), identities.good);
    expect(await calling(url, { method, headers: { 'webhook-id': 'evt_1' }, body: '{"a":1}' })).toEqual({
      statusCode: 200,
    });
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({
      method,
      path: '/hook?tenant=7',
      headers: {
        host: `hooks.example.com:${url.port}`,
        'webhook-id': 'evt_1',
        'content-type': 'application/json',
        'user-agent': 'payin-offramp-webhooks/1',
        connection: 'close',
      },
    });
  });

  test.each([
    ['a brace', '{'],
    ['Unicode', '{"name":"Ñandú 文字 \u2028"}'],
    ['emoji', '{"name":"👩‍👩‍👧‍👦🏴‍☠️"}'],
    ['64 KB', JSON.stringify('€'.repeat(21_844))],
    ['nothing', ''],
  ])('is the bytes that were signed, and their number, for %s', async (_, body) => {
    const { url, received } = await receiving(answering(200));
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    await calling(url, { body, headers: signedHeaders([secret], { id: 'evt_1', at: new Date(), body }) });
    const [got] = received;
    expect(got?.body.toString()).toBe(body);
    expect(got?.headers).toMatchObject({ 'content-length': `${got?.body.length}` });
    expect(got?.headers).not.toHaveProperty('transfer-encoding');
    expect(hasValidSignature(secret, got?.headers ?? {}, got?.body ?? '')).toBe(true);
  });
});

describe('decisions 7, retries: the answer of the endpoint', () => {
  test.each([200, 202, 204, 299, 400, 401, 404, 410, 500, 503])(
    'is reported by its status, %d, after exactly one call',
    async (statusCode) => {
      const { url, received } = await receiving(answering(statusCode));
      expect(await calling(url)).toEqual({ statusCode });
      expect(received).toHaveLength(1);
    },
  );

  test.each([301, 302, 303, 307, 308])(
    'is reported, and not followed, if it is the redirect %d',
    async (statusCode) => {
      const second = await receiving(answering(200));
      const first = await receiving(answering(statusCode, { location: second.url.href }));
      expect(await calling(first.url)).toEqual({ statusCode });
      expect(first.received).toHaveLength(1);
      expect(second.connections()).toBe(0);
    },
  );

  test.each(['120', 'soon', 'Fri, 01 Jan 2099 00:00:00 GMT'])(
    'is reported with its Retry-After as it was sent: %s',
    async (text) => {
      const { url } = await receiving(answering(429, { 'retry-after': text }));
      expect(await calling(url)).toEqual({ statusCode: 429, retryAfter: text });
    },
  );

  test.each(['204 No Content\r\nContent-Length: 2', '200 OK\r\nConnection: close\r\nContent-Length: 0'])(
    'is an answer although more follows its end: %j',
    async (head) => {
      const url = await bareEndpoint((socket) => socket.write(`HTTP/1.1 ${head}\r\n\r\nok`));
      expect(await calling(url)).toEqual({ statusCode: Number(head.slice(0, 3)) });
    },
  );

  test('is an answer although its body lasts until the connection ends', async () => {
    const url = await bareEndpoint((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nthanks'));
    expect(await calling(url)).toEqual({ statusCode: 200 });
  });
});

describe('decisions 7, retries: a call without an answer', () => {
  test.each(['000', '099'])('but a status that is none, %s, is CONNECT', async (status) => {
    const url = await bareEndpoint((socket) => socket.end(`HTTP/1.1 ${status} Odd\r\n\r\n`));
    expect(await calling(url)).toEqual({ error: 'CONNECT' });
  });

  test('from a port where nobody listens is CONNECT', async () => {
    const server = createServer();
    const port = await listenLocally(server);
    await new Promise((resolve) => {
      server.close(resolve);
    });
    for (const scheme of ['http', 'https']) {
      expect(await calling(new URL(`${scheme}://127.0.0.1:${port}/`))).toEqual({ error: 'CONNECT' });
    }
  });

  test.each([
    ['reset before the answer', (socket: Socket) => socket.resetAndDestroy()],
    ['closed before the answer', (socket: Socket) => socket.end()],
    ['reset in the head of it', (socket: Socket) => socket.write('HTTP/1.1 200 O', () => socket.resetAndDestroy())],
    ['reset in its body', (socket: Socket) => socket.write(`${HEAD_OF_NINE}than`, () => socket.resetAndDestroy())],
    ['closed in its body', (socket: Socket) => socket.end(`${HEAD_OF_NINE}than`)],
    ['closed in a chunk of it', (s: Socket) => s.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nth')],
    ['no HTTP', (socket: Socket) => socket.end('220 mail.example.com ESMTP\r\n')],
    ['a head without end', (s: Socket) => s.write(`HTTP/1.1 200 OK\r\n${'x-filler: 0123456789\r\n'.repeat(5000)}`)],
    [
      'another protocol',
      (s: Socket) => s.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
    ],
  ])('but %s is CONNECT, without a status', async (_, speak) => {
    expect(await calling(await bareEndpoint(speak))).toEqual({ error: 'CONNECT' });
  });

  test('but a break in the middle of its body is CONNECT over https too', async () => {
    const { url } = await receiving((response: ServerResponse) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('than', () => response.destroy());
    }, identities.good);
    expect(await calling(url)).toEqual({ error: 'CONNECT' });
  });

  test.each(['selfSigned', 'expired', 'otherHost'] as const)(
    'to a certificate that is %s is TLS, and no request is sent',
    async (kind) => {
      const { url, received } = await receiving(answering(200), identities[kind]);
      expect(await calling(url)).toEqual({ error: 'TLS' });
      expect(received).toEqual([]);
    },
  );

  test('to a certificate of an authority that nobody else trusts is TLS', async () => {
    const { url, received } = await receiving(answering(200), identities.good);
    const strict = createCallWebhook(systemClock);
    const call = { url, addresses: ['127.0.0.1'], method: 'POST', headers: {}, body: '{}' } as const;
    expect(await strict(call)).toEqual({ error: 'TLS' });
    expect(received).toEqual([]);
  });

  test('to a TLS handshake with a server that only speaks HTTP is TLS', async () => {
    const { url } = await receiving(answering(200));
    expect(await calling(new URL(`https://hooks.example.com:${url.port}/`))).toEqual({ error: 'TLS' });
  });
});

describe('decisions 7, retries: an answer that is too long', () => {
  const MOST = 16 * 1024;
  const headOf = (length: number) => `HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n`;

  test('is cut off, and its status counts', async () => {
    const [piece, offered] = [Buffer.alloc(4 * 1024), 32 * 1024 * 1024];
    const written = Promise.withResolvers<number>();
    const url = await bareEndpoint((socket) => {
      socket.on('close', () => written.resolve(socket.bytesWritten));
      socket.write(headOf(offered));
      // Piece by piece, so that `bytesWritten` counts what the caller has read, not what the buffers in between hold.
      const pour = () => {
        if (socket.bytesWritten >= offered) socket.end();
        else if (socket.writable) socket.write(piece, () => setImmediate(pour));
      };
      pour();
    });
    expect(await calling(url)).toEqual({ statusCode: 200 });
    // Some more pieces may be written before the close of the connection arrives.
    expect(await written.promise).toBeLessThan(16 * MOST);
  });

  test.each([
    [MOST - 1, { error: 'CONNECT' }],
    [MOST, { statusCode: 200 }],
  ])('counts from 16 KB on: one of which %d bytes came, and no more, is %o', async (length, result) => {
    const url = await bareEndpoint((socket) => socket.end(headOf(2 * MOST) + 'x'.repeat(length)));
    expect(await calling(url)).toEqual(result);
  });

  /** Returns a function that counts how often any part of Node.js has decompressed something since. */
  function watchingUnpacking(): () => number {
    let unpacked = 0;
    const watch = createHook({
      init: (_, type) => {
        if (type === 'ZLIB') unpacked += 1;
      },
    }).enable();
    onTestFinished(() => {
      watch.disable();
    });
    return () => unpacked;
  }

  test.each([
    ['a bomb', gzipSync(Buffer.alloc(50_000_000))],
    ['not even that', Buffer.from('not gzip')],
  ])('is not decompressed: %s', async (_, body) => {
    const { url } = await receiving((response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(body);
    });
    const unpacked = watchingUnpacking();
    expect(await calling(url)).toEqual({ statusCode: 200 });
    expect(unpacked()).toBe(0);
  });
});
