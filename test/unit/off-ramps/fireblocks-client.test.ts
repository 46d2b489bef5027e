import { createHash, createPublicKey } from 'node:crypto';
import { CompactSign, compactVerify, importPKCS8 } from 'jose';
import { describe, expect, test } from 'vitest';
import { CustodianUnavailable } from '#shared/off-ramps/custodians/custodian.ts';
import {
  type CallFireblocks,
  createAskFireblocks,
  createCallFireblocks,
  FireblocksRefused,
  signRequestToken,
} from '#shared/off-ramps/custodians/fireblocks/fireblocks-client.ts';
import { createProviderLimits } from '#shared/platform/dynamodb/provider-limits.ts';
import { testUser } from '#test/support/custodians/fireblocks-user.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { scriptedServer } from '#test/support/scripted-server.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';

const PATH = '/v1/transactions?txHash=0xab&after=1789000000000&limit=500';
const GET = { method: 'GET', path: PATH } as const;
const NOW = '2026-11-25T12:00:00.000Z';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('decisions 12: a request to Fireblocks is signed', () => {
  const fixed = { nonce: '00000000-0000-4000-8000-000000000001', iat: 1_790_000_000, exp: 1_790_000_055 };
  const requests = [
    { uri: PATH, body: '', hash: sha256('') },
    {
      uri: '/v1/vault/accounts',
      body: '{"name":"op-1","hiddenOnUI":true}',
      hash: '7b9beb85fe33eb072fe6244d51be1a701feb4022240b4c570bc5263dc0a0b3f3',
    },
  ];

  test.each(requests)('as any signer would, byte for byte: $uri', async ({ uri, body, hash: bodyHash }) => {
    const { nonce, iat, exp } = fixed;
    const claims = { uri, nonce, iat, exp, sub: testUser.apiKey, bodyHash };
    const key = await importPKCS8(testUser.privateKeyPem, 'RS256');
    const independent = new CompactSign(Buffer.from(JSON.stringify(claims)));
    const token = signRequestToken(testUser, { uri, body, ...fixed });
    expect(token).toBe(await independent.setProtectedHeader({ alg: 'RS256', typ: 'JWT' }).sign(key));
  });

  // Digests of the tokens that the vendor's BearerTokenProvider (ts-sdk 23.0.0) makes with this key, time and nonce.
  test.each(
    [
      'ab75f5e5c8654ea79f52985103f2461a81da269864439e1a829afb9db5295857',
      'c47f2da12fd7aa4a8537de7ecff0b4f209502a2d8d90f7a5d4e62a1e73a42ff5',
    ].map((digest, at) => ({ ...(requests[at] ?? expect.fail()), digest })),
  )('as the vendor’s library does: $uri', ({ uri, body, digest }) =>
    expect(sha256(signRequestToken(testUser, { uri, body, ...fixed }))).toBe(digest),
  );

  test('over the path, query and body that are sent, for 25 seconds, each with a nonce of its own', async () => {
    const { baseUrl: url, received } = await scriptedServer(
      Array.from({ length: 3 }, () => ({ status: 200, body: {} })),
    );
    const clock = fakeClock(NOW);
    const call = createCallFireblocks({ user: { use: (ask) => ask(testUser) }, server: { url }, clock });
    await call(GET);
    await call(GET);
    await call({ method: 'POST', path: '/v1/vault/accounts', body: '{"a":1}', idempotencyKey: 'op-1' });
    expect(received).toMatchObject([
      { call: `GET ${PATH}`, body: '', idempotencyKey: undefined },
      { call: `GET ${PATH}` },
      { call: 'POST /v1/vault/accounts', body: '{"a":1}', idempotencyKey: 'op-1' },
    ]);
    const iat = Date.parse(NOW) / 1000;
    const key = createPublicKey(testUser.privateKeyPem);
    const claims = await Promise.all(
      received.map(async ({ authorization = '' }) => {
        const { payload } = await compactVerify(authorization.replace('Bearer ', ''), key);
        return JSON.parse(Buffer.from(payload).toString());
      }),
    );
    expect(claims).toMatchObject([
      { uri: PATH, iat, exp: iat + 25, sub: testUser.apiKey, bodyHash: sha256('') },
      { uri: PATH },
      { uri: '/v1/vault/accounts', bodyHash: sha256('{"a":1}') },
    ]);
    expect(new Set(claims.map(({ nonce }) => nonce)).size).toBe(3);
  });

  test('with the key that is there now, when Fireblocks refuses the one that was', async () => {
    const { baseUrl: url, received } = await scriptedServer([
      { status: 401, body: { message: 'no', code: -7 } },
      { status: 401, body: { message: 'no', code: -5 } },
    ]);
    const refused: unknown[] = [];
    const user = {
      use: <Answer>(ask: (key: typeof testUser) => Promise<Answer>) =>
        ask(testUser).catch((error) => {
          refused.push(error);
          return ask(testUser);
        }),
    };
    const failure = createCallFireblocks({ user, server: { url }, clock: fakeClock(NOW) })(GET);
    await expect(failure).rejects.toThrow('Fireblocks answers 401 with code -5.');
    expect([refused, received.length]).toMatchObject([[{ refusesSecret: true }], 2]);
  });
});

/** API users of one workspace, functions with separate memories, and a server with the answers of the test. */
function world() {
  const clock = fakeClock(NOW, () => 0);
  const { dynamo, table } = tablesInMemory();
  const answers: { status: number; headers?: Record<string, string>; text?: string }[] = [];
  let calls = 0;
  const call: CallFireblocks = async () => {
    calls += 1;
    return { headers: {}, text: '[]', ...(answers.shift() ?? { status: 200 }) };
  };
  const limitsOf = (user: string) => createProviderLimits({ dynamo, table: 'providerLimits', clock }, user);
  const ofFunction = (user = READER) => createAskFireblocks({ call, limits: limitsOf(user), clock });
  return {
    clock,
    answers,
    ofFunction,
    limits: limitsOf(READER),
    calls: () => calls,
    items: () => table('providerLimits').items(),
  };
}

const READER = 'fireblocks#reader';

const TOO_MANY = { status: 429 };

const pauseOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 0,
    (error) => (error instanceof CustodianUnavailable ? error.retryAfter : error),
  );

describe('decisions 12: Fireblocks, which refuses a call for its rate, is left alone', () => {
  test('by every function of that API user until the pause has ended, and by no other user', async () => {
    const { clock, answers, ofFunction, calls } = world();
    const [one, other] = [ofFunction(), ofFunction()];
    await other(GET);
    answers.push({ ...TOO_MANY, headers: { 'retry-after': '17' } });
    expect(await pauseOf(one(GET))).toBe(17);
    clock.advance(1);
    expect([await pauseOf(one(GET)), await pauseOf(other(GET)), calls()]).toEqual([16, 16, 2]);
    expect(await pauseOf(ofFunction('fireblocks#addresses')(GET))).toBe(0);
    clock.advance(16);
    expect([await pauseOf(one(GET)), await pauseOf(other(GET)), calls()]).toEqual([0, 0, 5]);
  });

  test('for twice as long after each refusal in a row, up to a minute; a good answer ends the row', async () => {
    const { clock, answers, ofFunction, items } = world();
    const pauses: unknown[] = [];
    for (let refusal = 0; refusal < 7; refusal += 1) {
      answers.push(TOO_MANY);
      pauses.push(await pauseOf(ofFunction()(GET)));
      clock.advance(60);
    }
    expect(pauses).toEqual([2, 4, 8, 16, 32, 60, 60]);
    await ofFunction()(GET);
    expect(items()).toEqual([]);
    answers.push(TOO_MANY);
    expect(await pauseOf(ofFunction()(GET))).toBe(2);
  });

  test('for an hour at most, whatever it names: its mistake does not stop all credits for days', async () => {
    const { clock, answers, ofFunction } = world();
    answers.push({ ...TOO_MANY, headers: { 'retry-after': '86400000' } });
    expect(await pauseOf(ofFunction()(GET))).toBe(3600);
    clock.advance(3600);
    expect(await pauseOf(ofFunction()(GET))).toBe(0);
  });

  test('once for all calls that were under way together; and a longer pause that one of them is told counts', async () => {
    const { answers, ofFunction, items } = world();
    const told = ['', '', '30', '5'].map((seconds) => ({ ...TOO_MANY, headers: { 'retry-after': seconds } }));
    answers.push(...told);
    const pauses = await Promise.all(told.map(() => pauseOf(ofFunction()(GET))));
    expect([pauses.at(-1), await pauseOf(ofFunction()(GET))]).toEqual([30, 30]);
    expect(items()).toMatchObject([{ refusals: 1 }]);
  });

  test('for an hour at most, whatever it names', async () => {
    const { clock, answers, ofFunction, calls } = world();
    for (const named of ['999999999', 'Fri, 31 Dec 2099 23:59:59 GMT']) {
      answers.push({ ...TOO_MANY, headers: { 'retry-after': named } });
      expect(await pauseOf(ofFunction()(GET))).toBe(3600);
      clock.advance(3600);
    }
    expect([await pauseOf(ofFunction()(GET)), calls()]).toEqual([0, 3]);
  });

  test('also when a call that was sent before the pause is answered in it', async () => {
    const { answers, ofFunction, limits } = world();
    answers.push(TOO_MANY);
    await pauseOf(ofFunction()(GET));
    const ofSecond = { ...(await limits.readPause()), pausedFor: 0 };
    await limits.recordRefusal(ofSecond, 30);
    await limits.recordAcceptance(ofSecond);
    expect(await pauseOf(ofFunction()(GET))).toBe(30);
  });
});

describe('decisions 12: an answer of Fireblocks', () => {
  const fault = (message: string, code?: number) => JSON.stringify({ message, code });

  test.each([
    [404, fault('Transaction not found', 1100), FireblocksRefused],
    [400, fault('Bad name', 1003), FireblocksRefused],
    [404, '<html></html>', CustodianUnavailable],
    [404, '{}', CustodianUnavailable],
    [403, fault('Forbidden', -3), CustodianUnavailable],
    [500, fault('Oops', 1), CustodianUnavailable],
    [
      400,
      fault("This operation doesn't support the usage of the same idempotency key after an internal error"),
      CustodianUnavailable,
    ],
    [200, 'OK', CustodianUnavailable],
  ])('%i with %s is a refusal only if it says so, and never quoted', async (status, text, kind) => {
    const { answers, ofFunction } = world();
    answers.push({ status, text });
    const failure: unknown = await ofFunction()(GET).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CustodianUnavailable);
    expect(failure instanceof FireblocksRefused).toBe(kind === FireblocksRefused);
    expect(String(failure)).toMatch(/^CustodianUnavailable: Fireblocks answers (?:no JSON|\d+( with code -?\d+)?)\.$/);
  });
});
