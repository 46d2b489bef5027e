import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { issueToken } from '#functions/clients/issue-token/issue-token.ts';
import { issueToken as contract } from '#shared/clients/access-token-contract.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { httpRequest } from '#test/support/http-request.ts';
import { CLIENT, STRANGER } from '#test/support/ids.ts';

const digest = (secret: string) => createHash('sha256').update(secret).digest('hex');

const NOW = '2026-08-01T12:00:00.000Z';

/** A client in the middle of a rotation, and what was looked up and signed. */
function world(secretDigests = [digest('old secret'), digest('new secret')]) {
  const [lookedUp, signed]: [string[], string[]] = [[], []];
  const useCase = issueToken({
    findClient: async (clientId) => {
      lookedUp.push(clientId);
      const known = { clientId: CLIENT, complianceStatus: 'pending', status: 'pending', secretDigests };
      return clientId === CLIENT ? known : undefined;
    },
    sign: async (clientId, tokenId) => {
      signed.push(clientId);
      return `${tokenId} of ${clientId}`;
    },
    clock: fakeClock(NOW),
    newId: () => 'token-1',
  });
  const ask = (client_id: string, client_secret: string) =>
    useCase({
      clientId: '',
      path: {},
      query: () => ({}),
      body: () => ({ client_id, client_secret }),
      bytes: () => Buffer.from(JSON.stringify({ client_id, client_secret })),
      http: httpRequest(JSON.stringify({ client_id, client_secret })),
    });
  return { ask, lookedUp, signed };
}

describe('decisions 1, token response', () => {
  test('a bearer token of five minutes, for a client that is not approved too', async () => {
    const { ask } = world();
    const answer = await ask(CLIENT, 'new secret');
    expect(answer.body).toEqual({ access_token: `token-1 of ${CLIENT}`, token_type: 'Bearer', expires_in: 300 });
    expect(contract.success.body.safeParse(answer.body).success).toBe(true);
  });

  test('client and id of the token are told, so that the log says who got it', async () => {
    expect((await world().ask(CLIENT, 'new secret')).ids).toEqual({ clientId: CLIENT, tokenId: 'token-1' });
  });

  test('either of two live secrets is good', async () => {
    const { ask, signed } = world();
    await ask(CLIENT, 'old secret');
    await ask(CLIENT, 'new secret');
    expect(signed).toEqual([CLIENT, CLIENT]);
  });

  test('the token is of the client as it is stored, whatever the case of the id', async () => {
    const client = 'abcdef01-abcd-abcd-abcd-abcdef012345';
    const signed: string[] = [];
    const useCase = issueToken({
      findClient: async (clientId) =>
        clientId === client
          ? { clientId, complianceStatus: '', status: '', secretDigests: [digest('secret')] }
          : undefined,
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

  test('the log says whose secret was wrong, of a client that there is', async () => {
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
