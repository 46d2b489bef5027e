import { execFile } from 'node:child_process';
import dns from 'node:dns';
import { createServer, Socket } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '#shared/platform/clock.ts';
import { createCallWebhook, pinnedLookup } from '#shared/webhooks/http-client/call-webhook.ts';
import { identities, testAuthority } from '#test/support/test-certificates.ts';
import { answering, listenLocally, receiving } from '#test/support/webhook-receiver.ts';

const callWebhook = createCallWebhook(systemClock, {
  connectMilliseconds: 5_000,
  totalMilliseconds: 10_000,
  ca: testAuthority,
});

const calling = (url: URL, ...addresses: readonly string[]) =>
  callWebhook({ url, addresses, method: 'POST', headers: {}, body: '{}' });

describe('decisions 7, where a webhook may point: a call leads to the addresses that were checked', () => {
  test.each([['good' as const], [undefined]])('and DNS is not asked again (identity: %s)', async (identity) => {
    const { port } = await receiving(answering(200), identity && identities[identity]);
    const scheme = identity === undefined ? 'http' : 'https';
    const lookup = vi.spyOn(dns, 'lookup');
    onTestFinished(() => lookup.mockRestore());
    expect(await calling(new URL(`${scheme}://hooks.example.com:${port}/`), '127.0.0.1')).toEqual({ statusCode: 200 });
    expect(lookup).not.toHaveBeenCalled();
  });

  test.each(['http', 'https'])(
    'and an address in the URL that was not checked gets no request (%s)',
    async (scheme) => {
      const { port, received } = await receiving(answering(200), scheme === 'https' ? identities.good : undefined);
      expect(await calling(new URL(`${scheme}://127.0.0.1:${port}/`), '8.8.8.8', '2001:4860:4860::8888')).toEqual({
        error: 'BLOCKED',
      });
      expect(received).toEqual([]);
    },
  );

  test('and a connection that its endpoint has closed again is no wrong address: CONNECT', async () => {
    const { url, received } = await receiving(answering(200));
    const { emit } = Socket.prototype;
    const emitting = vi.spyOn(Socket.prototype, 'emit').mockImplementation(function (this: Socket, ...given) {
      const [event]: readonly string[] = given;
      if (event === 'connect') this.destroy();
      return emit.apply(this, given);
    });
    onTestFinished(() => emitting.mockRestore());
    expect(await calling(url, '127.0.0.1')).toEqual({ error: 'CONNECT' });
    expect(received).toEqual([]);
  });

  test('and those may be written in any way', async () => {
    const { port, url } = await receiving(answering(200));
    expect(await calling(new URL(`http://2130706433:${port}/`), '127.0.0.1')).toEqual({ statusCode: 200 });
    expect(await calling(url, '::ffff:127.0.0.1')).toEqual({ statusCode: 200 });
  });
});

describe('decisions 7, where a webhook may point: several addresses', () => {
  test('are tried in turn', async () => {
    const { url, received } = await receiving(answering(200), identities.good);
    expect(await calling(url, '::1', '127.0.0.1')).toEqual({ statusCode: 200 });
    expect(received).toHaveLength(1);
  });

  test('of which none answers: CONNECT', async () => {
    const server = createServer();
    const port = await listenLocally(server);
    await new Promise((resolve) => {
      server.close(resolve);
    });
    const url = new URL(`https://hooks.example.com:${port}/`);
    expect(await calling(url, '127.0.0.1', '::1', '127.0.0.1')).toEqual({ error: 'CONNECT' });
  });
});

describe('decisions 7, where a webhook may point: a connection is used once', () => {
  test('so that a name which leads elsewhere by now is not called where it was', async () => {
    const endpoint = await receiving(answering(200, { connection: 'keep-alive' }));
    const url = new URL(`http://hooks.example.com:${endpoint.port}/`);
    expect(await calling(url, '127.0.0.1')).toEqual({ statusCode: 200 });
    expect(await calling(url, '::1')).toEqual({ error: 'CONNECT' });
    expect(endpoint.received).toHaveLength(1);
  });
});

/** A process of its own, because Node reads these variables when it starts. */
const CALL_IN_CHILD = `
  import { systemClock } from '#shared/platform/clock.ts';
  import { createCallWebhook } from '#shared/webhooks/http-client/call-webhook.ts';
  const { url, ca } = JSON.parse(process.argv[1]);
  const limits = { connectMilliseconds: 5000, totalMilliseconds: 10000, ...(ca && { ca }) };
  const call = { url: new URL(url), addresses: ['127.0.0.1'], method: 'POST', headers: {}, body: '{}' };
  console.log(JSON.stringify(await createCallWebhook(systemClock, limits)(call)));`;

async function callInChild(url: URL, ca: string | undefined, variables: Record<string, string>): Promise<unknown> {
  const env = { PATH: process.env['PATH'], ...variables };
  const input = JSON.stringify({ url, ca });
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', CALL_IN_CHILD, input], { env });
  return JSON.parse(stdout);
}

describe('decisions 7, where a webhook may point: the environment has no say', () => {
  test('about a proxy', async () => {
    const proxy = await receiving(answering(502));
    const secure = await receiving(answering(200), identities.good);
    const plain = await receiving(answering(200));
    const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => [name, name.toLowerCase()]);
    const variables = Object.fromEntries(names.map((name) => [name, `http://127.0.0.1:${proxy.port}`]));
    const named = new URL(`http://hooks.example.com:${plain.port}/`);
    for (const url of [secure.url, plain.url, named]) {
      const result = await callInChild(url, testAuthority, { ...variables, NODE_USE_ENV_PROXY: '1' });
      expect(result).toEqual({ statusCode: 200 });
    }
    expect(proxy.connections()).toBe(0);
  }, 30_000);

  test('about certificates', async () => {
    const { url, received } = await receiving(answering(200), identities.selfSigned);
    expect(await callInChild(url, undefined, { NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toEqual({ error: 'TLS' });
    expect(received).toEqual([]);
  }, 30_000);
});

describe('the lookup of a connection', () => {
  const addresses = ['2001:db8::1', '192.0.2.1', '192.0.2.2'];
  const answerTo = (options: Parameters<ReturnType<typeof pinnedLookup>>[1], judged = addresses) =>
    new Promise((resolve) => {
      pinnedLookup(judged)('whatever.example', options, (error, address, family) => {
        resolve(error === null ? [address, family] : error.message);
      });
    });

  test('tells all addresses that were checked, in their order', async () => {
    const all = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    expect(await answerTo({ all: true })).toEqual([all, undefined]);
    expect(await answerTo({ all: true, family: 4 })).toEqual([all.slice(1), undefined]);
  });

  test.each([
    [{}, ['2001:db8::1', 6]],
    [{ family: 0 }, ['2001:db8::1', 6]],
    [{ family: 4 }, ['192.0.2.1', 4]],
    [{ family: 'IPv4' }, ['192.0.2.1', 4]],
    [{ family: 'IPv6' }, ['2001:db8::1', 6]],
  ] as const)('tells one of them when it is asked with %j', async (options, answer) => {
    expect(await answerTo(options)).toEqual(answer);
  });

  test('tells none when none was checked for the family that is asked for', async () => {
    expect(await answerTo({ family: 6 }, ['192.0.2.1'])).toBe('The host has no address of the family.');
    expect(await answerTo({ all: true }, [])).toBe('The host has no address of the family.');
  });
});
