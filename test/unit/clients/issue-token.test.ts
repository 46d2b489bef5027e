import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { issueToken } from '#functions/clients/issue-token/issue-token.ts';
import { issueTokenContract } from '#shared/clients/access-token-contract.ts';
import { createTakeToken } from '#shared/clients/token-limit.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { fakeDynamo } from '#test/support/fake-dynamo.ts';
import { httpRequest } from '#test/support/http-request.ts';
import { CLIENT, STRANGER } from '#test/support/ids.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';

const digest = (secret: string) => createHash('sha256').update(secret).digest('hex');

const NOW = '2026-08-01T12:00:00.000Z';

/** A client in the middle of a rotation, and the ids that were looked up and the texts that were signed. */
function world(secretDigests = [digest('old secret'), digest('new secret')], certificateSubjects?: string[]) {
  const [lookedUp, signed]: [string[], string[]] = [[], []];
  const clock = fakeClock(NOW);
  const tables = tablesInMemory();
  const useCase = issueToken({
    findClient: async (clientId) => {
      lookedUp.push(clientId);
      const known = {
        clientId: CLIENT,
        complianceStatus: 'pending',
        status: 'pending',
        secretDigests,
        certificateSubjects,
      };
      return clientId === CLIENT ? known : undefined;
    },
    takeToken: createTakeToken(tables.dynamo, 'allowances', clock),
    sign: async (clientId, tokenId) => {
      signed.push(clientId);
      return `${tokenId} of ${clientId}`;
    },
    clock,
    newId: () => 'token-1',
  });
  const ask = (client_id: string, client_secret: string, certificateSubject?: string) =>
    useCase({
      clientId: '',
      path: {},
      query: () => ({}),
      body: () => ({ client_id, client_secret }),
      bytes: () => Buffer.from(JSON.stringify({ client_id, client_secret })),
      http: httpRequest(JSON.stringify({ client_id, client_secret }), undefined, { certificateSubject }),
    });
  return { ask, clock, writes: tables.writes, lookedUp, signed };
}

describe('decisions 1, token response', () => {
  test('is a bearer token of five minutes, even for a client that is not approved', async () => {
    const { ask } = world();
    const answer = await ask(CLIENT, 'new secret');
    expect(answer.body).toEqual({ access_token: `token-1 of ${CLIENT}`, token_type: 'Bearer', expires_in: 300 });
    expect(issueTokenContract.success.body.safeParse(answer.body).success).toBe(true);
  });

  test('is given for either of two live secrets', async () => {
    const { ask, signed } = world();
    await ask(CLIENT, 'old secret');
    await ask(CLIENT, 'new secret');
    expect(signed).toEqual([CLIENT, CLIENT]);
  });

  test('names the client by its stored id, whatever the case of the id in the request', async () => {
    const client = 'abcdef01-abcd-abcd-abcd-abcdef012345';
    const signed: string[] = [];
    const useCase = issueToken({
      findClient: async (clientId) =>
        clientId === client
          ? { clientId, complianceStatus: '', status: '', secretDigests: [digest('secret')] }
          : undefined,
      takeToken: async () => 0,
      sign: async (clientId) => {
        signed.push(clientId);
        return 'token';
      },
      clock: fakeClock(NOW),
      newId: () => 'token-1',
    });
    const body = { client_id: client.toUpperCase(), client_secret: 'secret' };
    await useCase({
      clientId: '',
      path: {},
      query: () => ({}),
      body: () => body,
      bytes: () => Buffer.from(JSON.stringify(body)),
      http: httpRequest(JSON.stringify(body)),
    });
    expect(signed).toEqual([client]);
  });
});

describe('decisions 1: a wrong id and a wrong secret have the same answer, 401 INVALID_CLIENT', () => {
  test.each([
    ['an unknown client', STRANGER, 'new secret'],
    ['a wrong secret', CLIENT, 'new secre'],
    ['an empty secret', CLIENT, ''],
    ['the digest instead of the secret', CLIENT, digest('new secret')],
    ['an id that is no UUID', 'client', 'new secret'],
    ['the id that stands for no client', '00000000-0000-0000-0000-000000000000', ''],
  ])('%s', async (_, id, secret) => {
    const { ask, lookedUp, signed } = world();
    const error = await expectApiError(() => ask(id, secret));
    const ofAnother = await expectApiError(() => ask(CLIENT, 'wrong'));
    expect([error.status, error.code, error.message]).toEqual([401, 'INVALID_CLIENT', ofAnother.message]);
    expect(signed).toEqual([]);
    expect(lookedUp).toHaveLength(2);
  });

  test('the log names the client whose secret was wrong, if the client exists', async () => {
    const { ask } = world();
    expect((await expectApiError(() => ask(CLIENT, 'wrong'))).ids).toEqual({ clientId: CLIENT });
    const unknown = await expectApiError(() => ask(STRANGER, 'wrong'));
    expect(unknown.ids).toEqual({ clientId: '00000000-0000-0000-0000-000000000000' });
  });

  test('a client without live secrets has no way in', async () => {
    const { ask } = world([]);
    expect((await expectApiError(() => ask(CLIENT, ''))).code).toBe('INVALID_CLIENT');
  });
});

describe('decisions 10, tokens: two a second and sixty at once', () => {
  const REFUSED = { status: 429, code: 'TOO_MANY_REQUESTS' };
  const times = async (count: number, ask: () => Promise<unknown>) => {
    for (let made = 0; made < count; made += 1) await ask();
  };

  test('the next one is refused, with when there is another, and is not signed', async () => {
    const { ask, signed, clock } = world();
    const good = () => ask(CLIENT, 'new secret');
    await times(60, good);
    expect(await expectApiError(good)).toMatchObject({ ...REFUSED, retryAfterSeconds: 1 });
    expect(signed).toHaveLength(60);
    clock.advance(1);
    await times(2, good);
    await expectApiError(good);
    clock.advance(3600);
    await times(60, good);
    await expectApiError(good);
  });

  test('of a hundred at the same moment exactly sixty get one', async () => {
    const { ask, signed } = world();
    await Promise.allSettled(Array.from({ length: 100 }, () => ask(CLIENT, 'new secret')));
    expect(signed).toHaveLength(60);
  });

  test('wrong secrets take none of them, and write nothing', async () => {
    const { ask, signed, writes } = world();
    await times(200, () => expectApiError(() => ask(CLIENT, 'wrong')));
    expect(writes()).toBe(0);
    await times(60, () => ask(CLIENT, 'new secret'));
    expect(signed).toHaveLength(60);
  });

  test('a client that asks so fast that its item is throttled is refused', async () => {
    const throttled = Object.assign(new Error('Slow down.'), { name: 'ProvisionedThroughputExceededException' });
    const takeToken = createTakeToken(fakeDynamo(() => Promise.reject(throttled)).client, 'allowances', fakeClock(NOW));
    expect(await takeToken(CLIENT)).toBe(1);
    const broken = createTakeToken(
      fakeDynamo(() => Promise.reject(new Error('gone'))).client,
      'allowances',
      fakeClock(NOW),
    );
    await expect(broken(CLIENT)).rejects.toThrow('gone');
  });
});

describe('decisions 1, production: a client whose certificates are named', () => {
  const subject = 'CN=api.client.example,O=Client,C=CO';

  test('gets a token with one of them', async () => {
    const { ask, signed } = world(undefined, ['CN=before', subject]);
    await ask(CLIENT, 'new secret', subject);
    expect(signed).toEqual([CLIENT]);
  });

  test.each([undefined, 'CN=other.example'])('gets none with the right secret and %j', async (other) => {
    const { ask, signed } = world(undefined, [subject]);
    const error = await expectApiError(() => ask(CLIENT, 'new secret', other));
    expect([error.status, error.code, signed]).toEqual([401, 'INVALID_CLIENT', []]);
  });
});
