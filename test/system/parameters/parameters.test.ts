import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, inject, test } from 'vitest';
import { readParameterLists } from '#infra/parameters/read-parameter-lists.ts';
import { networks } from '#shared/networks/network.ts';
import {
  listBanksAsClientContract,
  listBanksContract,
  listTokensContract,
} from '#shared/parameters/parameter-contract.ts';
import { connectedAs } from '#test/support/connected.ts';
import { deployedParts } from '#test/support/deployed.ts';
import { callAs, demoClient, problemOf, send } from '#test/support/http-client.ts';

const files = readParameterLists('local');
const lists = [listBanksContract.path, listTokensContract.path] as const;

const contentOf = async (path: string) => JSON.parse((await send('GET', path)).text);
const call = connectedAs(demoClient('demo'));
const banks = async () => (await call('GET /api/parameters/banks')).body ?? [];
const tokens = async () => (await call('GET /api/parameters/tokens')).body ?? [];

describe('interface 2.7: a bank', () => {
  test.each([
    ['id', 'string', 'bancolombia'],
    ['code', 'string', '1007'],
    ['name', 'string', 'Bancolombia'],
    ['status', 'string', 'true'],
  ])('%s is a %s', async (field, type, ofBancolombia) => {
    const listed: Record<string, unknown>[] = await contentOf(listBanksContract.path);
    expect(listed.length).toBeGreaterThan(40);
    for (const bank of listed) expect(typeof bank[field]).toBe(type);
    expect(listed.find(({ code }) => code === '1007')).toHaveProperty(field, ofBancolombia);
  });

  test('has these fields and no others', async () => {
    for (const bank of await contentOf(listBanksContract.path)) {
      expect(Object.keys(bank).toSorted()).toEqual(['code', 'id', 'name', 'status']);
    }
  });
});

describe('interface 2.8: a token', () => {
  test.each([
    ['id', 'number', 1],
    ['token', 'string', 'USDC'],
    ['status', 'boolean', true],
    ['registerDate', 'string', expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/)],
    ['logo_base64', 'string', expect.stringMatching(/^[A-Za-z\d+/]+=*$/)],
  ])('%s is a %s', async (field, type, ofUsdc) => {
    const listed: Record<string, unknown>[] = await contentOf(listTokensContract.path);
    for (const token of listed) expect(typeof token[field]).toBe(type);
    expect(listed.find(({ token }) => token === 'USDC')).toHaveProperty(field, ofUsdc);
  });

  test('id is an integer', async () => {
    for (const { id } of await contentOf(listTokensContract.path)) expect(Number.isInteger(id)).toBe(true);
  });

  test('logo_base64 is a picture', async () => {
    for (const { logo_base64 } of await tokens()) {
      expect(Buffer.from(logo_base64 ?? '', 'base64').toString('hex', 0, 8)).toBe('89504e470d0a1a0a');
    }
  });

  test('has these fields and no others', async () => {
    for (const token of await contentOf(listTokensContract.path)) {
      expect(Object.keys(token).toSorted()).toEqual([
        'id',
        'logo_base64',
        'networks',
        'registerDate',
        'status',
        'token',
      ]);
    }
  });
});

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

  test('are in the order of their names', async () => {
    const names = (await banks()).map(({ name }) => name);
    expect(names).toEqual(names.toSorted((one, other) => one.localeCompare(other, 'es')));
    expect((await tokens()).map(({ token }) => token)).toEqual(['USDC', 'USDT']);
  });

  test('tell the tokens that off-ramps can be made of', async () => {
    const known = inject('outputs').tokens.map(({ id, token }) => ({ id, token }));
    expect((await tokens()).map(({ id, token }) => ({ id, token }))).toEqual(known);
  });

  test('do not have what is made inactive', async () => {
    const { dynamo } = deployedParts();
    const Item = { kind: 'BANK', id: 'closed', code: '1998', name: 'Closed', active: false };
    await dynamo.send(new PutCommand({ TableName: inject('stack')['parametersTable'] ?? '', Item }));
    expect((await banks()).map(({ id }) => id)).not.toContain('closed');
  });
});

describe('decisions 6: keeping a list', () => {
  test.each(lists)('%s may be kept by anybody for five minutes', async (path) => {
    const { headers } = await send('GET', path);
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    expect(headers.get('etag')).toMatch(/^W\/"[\w-]+"$/);
  });

  test.each(lists)('%s is answered 304 without a body to those who have it', async (path) => {
    const tag = (await send('GET', path)).headers.get('etag') ?? '';
    for (const known of [tag, `"other", ${tag}`, tag.replace('W/', ''), '*']) {
      const answer = await send('GET', path, { headers: { 'If-None-Match': known } });
      expect(answer).toMatchObject({ status: 304, text: '' });
      expect(answer.headers.get('etag')).toBe(tag);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
    }
  });

  test.each(lists)('%s is answered in full to those who have another', async (path) => {
    const answer = await send('GET', path, { headers: { 'If-None-Match': '"other"' } });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).not.toEqual([]);
  });
});

describe('decisions 6: the bank list where the description of pay-ins looks for it', () => {
  const { path } = listBanksAsClientContract;

  test('is the same for a client, approved or not', async () => {
    const { text, headers } = await send('GET', listBanksContract.path);
    for (const name of ['demo', 'not-approved']) {
      const answer = await callAs(demoClient(name), 'GET', path);
      expect(answer).toMatchObject({ status: 200, text });
      expect(answer.headers.get('etag')).toBe(headers.get('etag'));
    }
  });

  test('is answered 304 to a client that has it', async () => {
    const tag = (await send('GET', listBanksContract.path)).headers.get('etag') ?? '';
    const answer = await call('GET /api/v1/admin/banks', { header: { 'If-None-Match': tag } });
    expect(answer).toMatchObject({ status: 304, body: undefined });
  });

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

describe('decisions 3: what the lists are not', () => {
  test.each(['POST', 'PUT', 'DELETE'])('%s is no route of them', async (method) => {
    for (const path of lists) {
      expect(problemOf(await send(method, path))).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    }
  });
});
