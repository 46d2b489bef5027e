import { describe, expect, inject, test } from 'vitest';
import { evmSettingsOf } from '#infra/local/chain/local-chains.ts';
import { readParameterLists } from '#infra/parameters/read-parameter-lists.ts';
import { networks } from '#shared/networks/network.ts';
import {
  listBanksAsClientContract,
  listBanksContract,
  listTokensContract,
} from '#shared/parameters/parameter-contract.ts';
import { connectedAs } from '#test/support/connected.ts';
import { demoClient, problemOf, send } from '#test/support/http-client.ts';

const files = readParameterLists('local', { evm: evmSettingsOf(inject('outputs').chain ?? {}) });
const lists = [listBanksContract.path, listTokensContract.path] as const;

const call = connectedAs(demoClient('demo'));
const banks = async () => (await call('GET /api/parameters/banks')).body ?? [];
const tokens = async () => (await call('GET /api/parameters/tokens')).body ?? [];

describe('decisions 6: the lists', () => {
  test.each(lists)('%s needs no access token, and does not mind one', async (path) => {
    const answer = await send('GET', path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect((await send('GET', path, { headers: { Authorization: 'Bearer no.such.token' } })).text).toBe(answer.text);
  });

  test('are those of the files, of which they have the active entries', async () => {
    const active = files.banks.filter((bank) => bank.active);
    expect(active.length).toBeLessThan(files.banks.length);
    expect((await banks()).map(({ id }) => id).toSorted()).toEqual(active.map(({ id }) => id).toSorted());
    const activeTokens = files.tokens.filter((token) => token.active);
    expect(activeTokens.length).toBeLessThan(files.tokens.length);
    expect(await tokens()).toEqual(
      activeTokens.map(({ tokenId, token, registerDate, logoBase64, networks: on }) => ({
        id: tokenId,
        token,
        status: true,
        registerDate,
        logo_base64: logoBase64,
        networks: networks.flatMap((network) => {
          const { custodianAssetId: _, ...shown } = on[network] ?? {};
          return on[network] === undefined ? [] : [{ network, ...shown }];
        }),
      })),
    );
  });
});

describe('decisions 6: the bank list where the description of pay-ins looks for it', () => {
  const { path } = listBanksAsClientContract;

  test.each([
    ['no token', {}],
    ['a forged token', { Authorization: 'Bearer e30.e30.c2ln' }],
    ['a tag that matches, but no token', { 'If-None-Match': '*' }],
  ])('needs an access token: 401 for %s', async (_, headers) => {
    const answer = await send('GET', path, { headers });
    expect(problemOf(answer)).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });
});
