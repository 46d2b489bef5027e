import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { issueTokenContract } from '#shared/clients/access-token-contract.ts';
import { simulateDepositContract } from '#shared/off-ramps/contract/off-ramp-sandbox-contract.ts';
import {
  accessToken,
  callAs,
  hashPath,
  newHash,
  OffRampUser,
  problemOf,
  send,
  withdrawalPath,
} from '#test/support/http-client.ts';

const user = new OffRampUser();
const megabyte = 'a'.repeat(1_000_000);

/** Bodies that are not a valid JSON object, with the expected status. */
const bodies: [name: string, body: string | Uint8Array<ArrayBuffer>, contentType: string, status: number][] = [
  ['invalid JSON', '{"txHash":', 'application/json', 400],
  ['nothing but white space', '  ', 'application/json', 400],
  ['two values', '{} {}', 'application/json', 400],
  ['a repeated key', '{"txHash":"a","txHash":"b"}', 'application/json', 400],
  ['a repeated key in disguise', '{"txHash":"a","tx\\u0048ash":"b"}', 'application/json', 400],
  ['half a surrogate pair', '{"txHash":"\\ud800"}', 'application/json', 400],
  ['a raw null byte', '{"txHash":"\u0000"}', 'application/json', 400],
  [
    'bytes that are no UTF-8',
    new Uint8Array([...Buffer.from('{"txHash":"'), 0xff, 0xfe, 0x22, 0x7d]),
    'application/json',
    400,
  ],
  ['NaN', '{"txHash":NaN}', 'application/json', 400],
  ['deep nesting', '['.repeat(30_000), 'application/json', 400],
  ['an array', '[]', 'application/json', 422],
  ['null', 'null', 'application/json', 422],
  ['a text', '"txHash"', 'application/json', 422],
  ['a prototype', '{"__proto__":{"txHash":"0x"}}', 'application/json', 422],
  ['unicode', '{"txHash":"🪙","ключ":"значение"}', 'application/json', 422],
  ['one megabyte', `{"txHash":"${megabyte}"}`, 'application/json', 413],
  ['a form', 'txHash=0x', 'application/x-www-form-urlencoded', 415],
  ['text', '{"txHash":"0x"}', 'text/plain', 415],
  ['XML', '<txHash/>', 'application/xml', 415],
];

describe('bad bodies get a problem with the right status, on every route that takes one', () => {
  const routes: [string, () => Promise<string>][] = [
    ['submit-offramp-hash', async () => hashPath(user.userId, (await user.create()).id)],
    ['create-withdrawal', async () => withdrawalPath(user.userId)],
    ['simulate-deposit', async () => simulateDepositContract.path],
    ['issue-token', async () => issueTokenContract.path],
  ];
  const cases = routes.flatMap(([route, path]) => bodies.map((body) => [route, body[0], path, body] as const));

  test.each(cases)('%s: %s', async (route, _, path, [name, body, contentType, expected]) => {
    const isToken = route === 'issue-token';
    const status = isToken && (name === 'a form' || expected === 422) ? 400 : expected;
    const headers = { 'Content-Type': contentType };
    const answer = await callAs(user.client, 'POST', await path(), body, headers);
    expect(problemOf(answer).status).toBe(status);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe(isToken ? 'application/json' : 'application/problem+json');
    if (isToken) expect(problemOf(answer).error).toBe('invalid_request');
  });
});

describe('a path without a route is 404 NOT_FOUND', () => {
  test.each([
    ['GET', '/api'],
    ['GET', '/api/v1/admin/operation'],
    ['GET', '/api/token'],
    ['DELETE', '/api/v1/client/token'],
    ['PUT', withdrawalPath(randomUUID())],
    ['PATCH', hashPath(randomUUID(), randomUUID())],
    ['POST', `${hashPath(randomUUID(), randomUUID())}/more`],
    ['GET', '/api/custodian/notifications'],
    ['GET', '/api/%00'],
    ['GET', '/api/..%2f..%2fetc'],
    ['GET', '/api/€'],
  ])('%s %s', async (method, path) => {
    const answer = await send(method, path, { headers: { Authorization: `Bearer ${await accessToken(user.client)}` } });
    expect(problemOf(answer)).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  });
});

test('decisions 8: a transaction that another client put there is not changed', async () => {
  const second = new OffRampUser('POLYGON', 'second');
  const operation = await user.create();
  const txHash = newHash();
  await user.deposit(operation, txHash);
  const foreign = {
    network: 'POLYGON',
    txHash,
    fromAddress: 'x',
    toAddress: 'y',
    token: 'USDC',
    amount: '1',
    state: 'FAILED',
  };
  const answer = await callAs(second.client, 'POST', simulateDepositContract.path, foreign);
  expect(problemOf(answer)).toMatchObject({ status: 409, code: 'SANDBOX_DEPOSIT_TAKEN' });
  await user.submit(operation.id, txHash);
  await user.readUntil(operation.id, ({ status }) => status === 'VERIFIED');
});
