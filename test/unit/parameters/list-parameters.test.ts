import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { listBanks } from '#functions/parameters/list-banks/list-banks.ts';
import { listTokens } from '#functions/parameters/list-tokens/list-tokens.ts';
import {
  listBanksAsClientContract,
  listBanksContract,
  listTokensContract,
} from '#shared/parameters/parameter-contract.ts';
import type { Bank, SupportedToken } from '#shared/parameters/parameter-lists.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { authorized, gatewayEvent, invoke } from '#test/support/gateway.ts';
import { httpRequest } from '#test/support/http-request.ts';

const call = {
  clientId: '',
  path: undefined,
  query: () => ({}),
  body: () => undefined,
  bytes: () => Buffer.alloc(0),
  http: httpRequest(''),
};

/** The answers as they are sent: shaped by their contracts. */
async function banksListed(...banks: readonly Bank[]) {
  return listBanksContract.success.body.parse((await listBanks(async () => banks)(call)).body);
}

async function tokensListed(...tokens: readonly SupportedToken[]) {
  return listTokensContract.success.body.parse((await listTokens(async () => tokens)(call)).body);
}

const bank = (name: string, differences: Partial<Bank> = {}): Bank => ({
  id: name.toLowerCase(),
  code: '1007',
  name,
  active: true,
  ...differences,
});

const token = (name: string, differences: Partial<SupportedToken> = {}): SupportedToken => ({
  tokenId: 1,
  token: name,
  active: true,
  networks: { POLYGON: { custodianAssetId: `POLYGON:${name}`, decimals: 6, minimum: '1', maximum: '500' } },
  ...differences,
});

describe('interface 4.5: the list of banks', () => {
  test('is an array of banks with id, code, name and the text true as status, and nothing else', async () => {
    expect(await banksListed(bank('Nequi', { id: 'nequi', code: '1507' }))).toEqual([
      { id: 'nequi', code: '1507', name: 'Nequi', status: 'true' },
    ]);
  });

  test('has active banks only', async () => {
    const listed = await banksListed(bank('One'), bank('Two', { active: false }), bank('Three'));
    expect(listed.map(({ name }) => name)).toEqual(['One', 'Three']);
  });

  test('is in the order of the names as people of Colombia sort them', async () => {
    const names = ['Ualá', 'Nu', 'bold', 'Ñandú', 'Iris', 'Itaú', 'Ánfora', 'Banco W', 'Nequi', 'Banco AV Villas'];
    const listed = await banksListed(...names.map((name) => bank(name)));
    expect(listed.map(({ name }) => name)).toEqual([
      'Ánfora',
      'Banco AV Villas',
      'Banco W',
      'bold',
      'Iris',
      'Itaú',
      'Nequi',
      'Nu',
      'Ñandú',
      'Ualá',
    ]);
  });
});

describe('decisions 6: the function of both bank lists', () => {
  /** Status of the answer to a caller with this token: 500 if the caller is let in, because there is no table. */
  async function statusOf(resource: string, requestContext: object) {
    captureLogs();
    vi.stubEnv('PARAMETERS_TABLE', 'none');
    vi.stubEnv('AWS_ENDPOINT_URL', 'http://127.0.0.1:1');
    vi.stubEnv('AWS_REGION', 'us-east-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'none');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'none');
    vi.stubEnv('AWS_MAX_ATTEMPTS', '1');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { handler } = await import('#functions/parameters/list-banks/handler.ts');
    return (await invoke(handler, gatewayEvent({ httpMethod: 'GET', resource, requestContext }))).statusCode;
  }

  const [none, expired, living] = [{ requestId: 'request-1' }, authorized(1), authorized(4_000_000_000)];

  test.each([
    [listBanksContract.path, 'no token', none, 500],
    [listBanksContract.path, 'an expired token', expired, 500],
    [listBanksAsClientContract.path, 'no token', none, 401],
    [listBanksAsClientContract.path, 'a token that a cached authorizer answer has outlived', expired, 401],
    [listBanksAsClientContract.path, 'a token that lives', living, 500],
    ['/api/another', 'no token', none, 401],
  ])('%s with %s', async (path, _, requestContext, status) => {
    expect(await statusOf(path, requestContext)).toBe(status);
  });
});

describe('interface 4.6: the list of tokens', () => {
  const onPolygon = [{ network: 'POLYGON', decimals: 6, minimum: '1', maximum: '500' }];

  test('decisions 4, bounds: says on which networks a token is, with decimals and bounds and without the custodian', async () => {
    const on = (custodianAssetId: string, decimals: number) => ({
      custodianAssetId,
      decimals,
      minimum: '0.5',
      maximum: '9',
    });
    const [listed] = await tokensListed(token('USDC', { networks: { SOLANA: on('A', 6), BSC: on('B', 18) } }));
    expect(listed?.networks).toEqual([
      { network: 'BSC', decimals: 18, minimum: '0.5', maximum: '9' },
      { network: 'SOLANA', decimals: 6, minimum: '0.5', maximum: '9' },
    ]);
  });

  test('is an array of tokens with id, token, status true, registerDate, logo_base64 and networks, and nothing else', async () => {
    const full = token('USDC', { tokenId: 7, registerDate: '2026-11-21', logoBase64: 'iVBORw0KGgo=' });
    expect(await tokensListed(full)).toEqual([
      {
        id: 7,
        token: 'USDC',
        status: true,
        registerDate: '2026-11-21',
        logo_base64: 'iVBORw0KGgo=',
        networks: onPolygon,
      },
    ]);
  });

  test('leaves out registerDate and logo_base64 where there are none', async () => {
    expect(await tokensListed(token('USDC'))).toEqual([{ id: 1, token: 'USDC', status: true, networks: onPolygon }]);
  });

  test('has active tokens only, in the order of their names', async () => {
    const listed = await tokensListed(token('USDT'), token('DAI'), token('EURC', { active: false }), token('USDC'));
    expect(listed.map((one) => one.token)).toEqual(['DAI', 'USDC', 'USDT']);
  });
});
