import { createHash, generateKeyPairSync } from 'node:crypto';
import { createLocalJWKSet, flattenedVerify, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { createCallHttps } from '#shared/platform/call-https.ts';
import { systemClock } from '#shared/platform/clock.ts';
import type { Role } from '#test/doubles/fireblocks/answer.ts';
import { createFireblocksDouble, type DoubleOptions } from '#test/doubles/fireblocks/double.ts';
import { type ServerOptions, startFireblocksDouble } from '#test/doubles/fireblocks/server.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { receiver } from '#test/support/receiver.ts';

const NOW = '2026-11-25T12:00:00.000Z';
const FROM = '0x1111111111111111111111111111111111111111';
const rsa = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const [keys, strangers] = [rsa(), rsa()];
const publicKeyPem = keys.publicKey.export({ format: 'pem', type: 'spki' }).toString();
const users = [{ apiKey: 'reader', publicKeyPem, role: 'Viewer' as const }];
const call = createCallHttps(systemClock, { milliseconds: 5_000, bytes: 1_000_000 });

async function running(options: Partial<ServerOptions> = {}) {
  const server = await startFireblocksDouble({ clock: fakeClock(NOW), users, ...options });
  return { ...server, [Symbol.asyncDispose]: server.stop };
}

function workspace(options: Partial<DoubleOptions> = {}) {
  const clock = fakeClock(NOW);
  const double = createFireblocksDouble({ clock, ...options });
  const ask = (method: string, path: string, role: Role = 'Non-Signing Admin', key?: string) => {
    const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
    const { status, headers: answered, body } = double.answer({ apiKey: role, role }, { method, path, headers });
    return { status, headers: answered, body: JSON.parse(body) };
  };
  const deposit = (to = '0x2222222222222222222222222222222222222222') =>
    double.deposit({
      network: 'POLYGON',
      movements: [{ assetId: 'USDC_POLYGON_NXTB', amount: '1.50', to, from: FROM }],
    });
  return { clock, double, ask, deposit };
}

describe('a request token of the double of Fireblocks', () => {
  const iat = Date.parse(NOW) / 1000;
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const path = '/v1/transactions?after=1&txHash=0xAb%20';
  const good = { uri: path, nonce: 'n', iat, exp: iat + 29, sub: 'reader', bodyHash: sha256('') };
  const tokenOf = (claims: object, key = keys.privateKey, alg = 'RS256') =>
    new SignJWT({ ...claims }).setProtectedHeader({ alg, typ: 'JWT' }).sign(key);

  test.each([
    ['signed by another key', -1, {}, strangers.privateKey],
    ['without its subject', -2, { sub: undefined }],
    ['of the same path in another spelling', -4, { uri: '/v1/transactions?after=1&txHash=0x%41b%20' }],
    ['of a user that there is not', -6, { sub: 'writer' }],
    ['that is valid for 30 seconds', -7, { exp: iat + 30 }],
    ['that has expired', -7, { iat: iat - 20, exp: iat }],
    ['of another body', -7, { bodyHash: sha256('{}') }],
    ['signed by RS512', -7, {}, keys.privateKey, 'RS512'],
  ] as const)('%s is refused with %i', async (_name, code, wrong, key?, alg?) => {
    await using server = await running();
    const authorization = `Bearer ${await tokenOf({ ...good, ...wrong }, key, alg)}`;
    const headers = { 'X-API-Key': 'reader', Authorization: authorization };
    const { status, text } = await call({ url: `${server.url}${path}`, method: 'GET', headers });
    expect([status, JSON.parse(text).code]).toEqual([401, code]);
  });

  test('is accepted once, by the user that it names, and not without it', async () => {
    await using server = await running();
    const ask = async (headers: Readonly<Record<string, string>>) => {
      const { status, text } = await call({ url: `${server.url}${path}`, method: 'GET', headers });
      return status === 200 ? text : JSON.parse(text).code;
    };
    const Authorization = `Bearer ${await tokenOf(good)}`;
    expect(await ask({ 'X-API-Key': 'writer', Authorization })).toBe(-6);
    expect(await ask({ 'X-API-Key': 'reader', Authorization })).toBe('[]');
    expect(await ask({ 'X-API-Key': 'reader', Authorization })).toBe(-7);
    expect(await ask({ 'X-API-Key': 'reader' })).toBe(-3);
  });
});

describe('the double of Fireblocks', () => {
  test.each([
    ['GET', '/v1/supported_assets', 'Viewer', 'Editor'],
    ['POST', '/v1/vault/accounts', 'Viewer', 'Editor'],
    ['POST', '/v1/vault/accounts/0/XLM/addresses', 'Editor', 'Non-Signing Admin'],
  ] as const)('allows %s %s not to a %s, but to the role above', (method, path, below, least) => {
    const { ask } = workspace();
    ask('POST', '/v1/vault/accounts/0/XLM');
    expect([ask(method, path, below).status, ask(method, path, least).status]).toEqual([403, 200]);
  });

  test('answers a repeated idempotency key with the first answer for 24 hours, and makes no second vault', () => {
    const { clock, double, ask } = workspace();
    const create = (key: string) => ask('POST', '/v1/vault/accounts', 'Editor', key);
    const first = create('k'.repeat(40));
    clock.advance(24 * 3600 - 1);
    expect(create('k'.repeat(40))).toEqual(first);
    expect(double.vaults.map(({ id }) => id)).toEqual(['0', first.body.id]);
    clock.advance(1);
    expect(create('k'.repeat(40)).body.id).not.toBe(first.body.id);
    expect(create('k'.repeat(41)).status).toBe(400);
  });

  test('refuses an idempotency key after an internal error, which may have made the vault', () => {
    const { double, ask } = workspace();
    double.fail({ what: '500', isCarriedOut: true });
    const statuses = ['k', 'k', 'l'].map((key) => ask('POST', '/v1/vault/accounts', 'Editor', key).status);
    expect(statuses).toEqual([500, 400, 200]);
    expect(double.vaults).toHaveLength(3);
  });

  test('pages forth and back without gaps, though more arrives', () => {
    const { clock, ask, deposit } = workspace();
    const ids = [1, 2, 3, 4, 5].flatMap((place) => {
      // The third and the fourth deposit have the same millisecond.
      if (place !== 4) clock.advance(1);
      return deposit().map(({ id }) => id);
    });
    const page = (query = '') => {
      const { body, headers } = ask('GET', `/v1/transactions?sort=ASC&limit=2&after=1${query}`, 'Viewer');
      const [next, prev] = [headers['next-page'], headers['prev-page']];
      return { ids: body.map(({ id }: { id: string }) => id), next, prev };
    };
    const first = page();
    const second = page(`&next=${first.next}`);
    const third = page(`&next=${second.next}`);
    expect([...first.ids, ...second.ids, ...third.ids]).toEqual(ids);
    expect([first.prev, third.next]).toEqual([undefined, undefined]);
    deposit();
    expect(page(`&prev=${third.prev}`).ids).toEqual(second.ids);
  });

  test('counts confirmations up to the policy, and neither further nor on Base above 1', () => {
    const { double, ask, deposit } = workspace({ policies: { POLYGON: 3 } });
    const [{ id, txHash } = { id: '', txHash: '' }] = deposit();
    const states = [2, 3, 9].map((confirmations) => {
      double.confirm(txHash, confirmations);
      const { status, numOfConfirmations } = ask('GET', `/v1/transactions/${id}`, 'Viewer').body;
      return [status, numOfConfirmations];
    });
    expect(states).toEqual([
      ['CONFIRMING', 2],
      ['COMPLETED', 3],
      ['COMPLETED', 3],
    ]);
    expect(() => workspace({ policies: { BASE: 2 } })).toThrow('fixed');
  });

  test('sees nothing arrive in a vault without the wallet of a coin', () => {
    const { ask, deposit } = workspace();
    const { address } = ask('POST', '/v1/vault/accounts/0/USDC').body;
    expect(deposit(address)).toEqual([]);
    expect(ask('POST', '/v1/vault/accounts/0/ETH').body.address).toBe(address);
    expect(deposit(address)).toHaveLength(1);
  });

  test('signs webhooks with the newest key, and its key set verifies those of the older ones', async () => {
    const endpoint = await receiver((_request, nth) => ({ status: nth === 1 ? 500 : 200 }));
    await using server = await running({ notifyUrl: `${endpoint.url}/hook` });
    const movements = [{ assetId: 'SOL', amount: '1', to: 'somewhere' }] as const;
    server.double.deposit({ network: 'SOLANA', movements });
    server.rotateKeys();
    server.double.deposit({ network: 'SOLANA', movements });
    await server.delivered();
    await server.resend();
    const jwks = createLocalJWKSet(JSON.parse((await call({ url: server.jwksUrl, method: 'GET', headers: {} })).text));
    const kids = await Promise.all(
      endpoint.received('/hook').map(async ({ body, headers }) => {
        const [header = '', , signature = ''] = headers['fireblocks-webhook-signature']?.split('.') ?? [];
        const jws = { protected: header, payload: body.toString('base64url'), signature };
        return (await flattenedVerify(jws, jwks, { algorithms: ['RS512'] })).protectedHeader?.kid;
      }),
    );
    expect(kids.toSorted()).toEqual(expect.arrayContaining(['webhook-key-1', 'webhook-key-2']));
    expect(kids).toHaveLength(3);
    await endpoint.stop();
  });
});
