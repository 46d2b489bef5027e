import { createSocket } from 'node:dgram';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '#shared/platform/clock.ts';
import {
  BlockedUrl,
  createResolveHost,
  createSsrfGuard,
  type ResolveHost,
  ssrfGuardSetting,
} from '#shared/webhooks/http-client/ssrf-guard.ts';
import { listening, type NameServer } from '#test/support/name-server.ts';

/** Guards with a DNS that knows the given names, and counts what it is asked. */
function guardWith(names: Readonly<Record<string, readonly string[]>>, allowsThisMachine = false) {
  const asked: string[] = [];
  const resolve: ResolveHost = async (hostname) => {
    asked.push(hostname);
    return names[hostname] ?? [];
  };
  return { guard: createSsrfGuard(resolve, { allowsThisMachine }), asked };
}

async function faultOf(refused: Promise<unknown>): Promise<string> {
  const error = await refused.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof BlockedUrl ? error.fault : `no refusal: ${error}`;
}

const one = (addresses: readonly string[]) =>
  faultOf(guardWith({ 'hooks.example.com': addresses }).guard('https://hooks.example.com/'));

describe('decisions 7, where a webhook may point: after DNS', () => {
  test('a name with public addresses may be called at those, and at no others', async () => {
    const addresses = ['8.8.8.8', '2606:4700::1111'];
    const { guard, asked } = guardWith({ 'hooks.example.com': addresses });
    const target = await guard('https://hooks.example.com:8443/x');
    expect(target).toEqual({ url: new URL('https://hooks.example.com:8443/x'), addresses });
    expect(asked).toEqual(['hooks.example.com']);
  });

  test.each([
    [['127.0.0.1']],
    [['8.8.8.8', '10.0.0.1']],
    [['10.0.0.1', '8.8.8.8']],
    [['8.8.8.8', '::1']],
    [['not an address']],
  ])('a name that leads to %j is refused as a whole', async (addresses) => {
    expect(await one(addresses)).toBe('ADDRESS_NOT_PUBLIC');
  });

  test('a name with very many addresses is called at a few of them: its owner may name those of anybody', async () => {
    const addresses = Array.from({ length: 4000 }, (_, number) => `8.8.${number >> 8}.${number & 255}`);
    const { guard } = guardWith({ 'hooks.example.com': addresses });
    expect((await guard('https://hooks.example.com/')).addresses).toEqual(addresses.slice(0, 8));
    expect(await one([...addresses, '10.0.0.1'])).toBe('ADDRESS_NOT_PUBLIC');
  });

  test('a name that leads nowhere is refused', async () => {
    expect(await one([])).toBe('HOST_NOT_RESOLVED');
  });

  test('the refusal tells no address', async () => {
    const { guard } = guardWith({ 'hooks.example.com': ['10.1.2.3'] });
    await expect(guard('https://hooks.example.com/')).rejects.toThrow(/^must have a host with public addresses only$/);
  });

  test('DNS is asked on every attempt, so that a name that turns inside is caught', async () => {
    const answers = [['8.8.8.8'], ['127.0.0.1']];
    const guard = createSsrfGuard(async () => answers.shift() ?? [], { allowsThisMachine: false });
    expect((await guard('https://rebinding.example/')).addresses).toEqual(['8.8.8.8']);
    expect(await faultOf(guard('https://rebinding.example/'))).toBe('ADDRESS_NOT_PUBLIC');
  });

  test('DNS is asked in the form that is called', async () => {
    const { guard, asked } = guardWith({ 'xn--bcher-kva.example': ['8.8.8.8'] });
    await guard('https://BÜCHER.example/');
    expect(asked).toEqual(['xn--bcher-kva.example']);
  });

  test.each(['https://8.8.8.8/', 'https://10.0.0.1/', 'http://example.com/', 'https://localhost/', 'x'])(
    'DNS has no say about %s',
    async (url) => {
      const { guard, asked } = guardWith({ localhost: ['8.8.8.8'], 'example.com': ['8.8.8.8'] });
      await guard(url).catch(() => undefined);
      expect(asked).toEqual([]);
    },
  );

  test('DNS has no say about localhost in the local stage', async () => {
    const { guard, asked } = guardWith({ localhost: ['10.0.0.1'] }, true);
    expect((await guard('http://localhost:9000/')).addresses).toEqual(['127.0.0.1', '::1']);
    expect(asked).toEqual([]);
  });

  test('a name of the local stage that leads to this machine is refused over https', async () => {
    const { guard } = guardWith({ 'hooks.example.com': ['127.0.0.1'] }, true);
    expect(await faultOf(guard('https://hooks.example.com/'))).toBe('ADDRESS_NOT_PUBLIC');
  });
});

describe('decisions 7, where a webhook may point: the addresses of a name', () => {
  let server: NameServer;
  beforeAll(async () => {
    server = await listening({
      'both.example': { A: ['8.8.8.8', '8.8.4.4'], AAAA: ['2001:4860:4860:0:0:0:0:8888'] },
      'old.example': { A: ['8.8.8.8'] },
      'new.example': { AAAA: ['2001:4860:4860:0:0:0:0:8888'] },
      'lame.example': { A: ['8.8.8.8'], AAAA: 'fails' },
      'empty.example': {},
    });
  });
  afterAll(() => server.stop());

  test.each([
    ['both.example', ['8.8.8.8', '8.8.4.4', '2001:4860:4860::8888']],
    ['old.example', ['8.8.8.8']],
    ['new.example', ['2001:4860:4860::8888']],
    ['lame.example', ['8.8.8.8']],
    ['empty.example', []],
    ['missing.example', []],
    ['localhost', []],
    [`${'a'.repeat(64)}.example`, []],
  ])('of %s are what DNS says of IPv4 and IPv6', async (name, addresses) => {
    expect((await createResolveHost(systemClock, [server.address])(name)).toSorted()).toEqual(addresses.toSorted());
  });

  test('are none on a machine without DNS: what cannot be checked is refused', async () => {
    const closed = createSocket('udp4');
    const port = await new Promise<number>((resolve) => {
      closed.bind(0, '127.0.0.1', () => resolve(closed.address().port));
    });
    await new Promise<void>((resolve) => {
      closed.close(() => resolve());
    });
    const guard = createSsrfGuard(createResolveHost(systemClock, [`127.0.0.1:${port}`]), { allowsThisMachine: true });
    expect(await faultOf(guard('https://both.example/'))).toBe('HOST_NOT_RESOLVED');
  }, 15_000);
});

test.each([
  ['true', 'no refusal: undefined'],
  ['false', 'NOT_ALLOWED'],
])('a stage whose setting is %s answers for this machine: %s', async (allows, fault) => {
  vi.stubEnv('WEBHOOKS_TO_THIS_MACHINE', allows);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await faultOf(ssrfGuardSetting(systemClock)('http://localhost:3000/'))).toBe(fault);
});
