import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { issueTokenContract } from '#shared/clients/access-token-contract.ts';
import { submitOfframpHashContract } from '#shared/off-ramps/contract/off-ramp-hash-contract.ts';
import { simulateDepositContract } from '#shared/off-ramps/contract/off-ramp-sandbox-contract.ts';
import { createWithdrawalContract } from '#shared/off-ramps/contract/withdrawal-contract.ts';
import { createPayinContract, listPayinsContract } from '#shared/pay-ins/pay-in-contract.ts';
import { parseJson } from '#shared/platform/http/json.ts';
import { validate } from '#shared/platform/http/validation.ts';
import { replayEventsContract } from '#shared/webhooks/contract/delivery-contract.ts';
import { updateWebhookContract } from '#shared/webhooks/contract/webhook-contract.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { WALLET } from '#test/support/ids.ts';

const errorsOf = async (schema: z.ZodMiniType, value: unknown, part: 'body' | 'header' | 'query' = 'body') => {
  const error = await expectApiError(() => validate(schema, value, part));
  expect([error.status, error.code]).toEqual([422, 'VALIDATION_FAILED']);
  return error.errors;
};

const withdrawal = { originExternalWalletId: WALLET, supportedTokenId: 1, amount: '1' };
const deposit = {
  network: 'BASE',
  txHash: 'x',
  fromAddress: 'a',
  toAddress: 'b',
  token: 'USDC',
  amount: '1',
  state: 'CONFIRMED',
};

describe('decisions 3: VALIDATION_FAILED has a line for each value, with its path, a code and a message', () => {
  test.each([null, 1, true, [], {}])('a txHash that is %j is INVALID_TYPE (interface 7)', async (txHash) => {
    expect(await errorsOf(submitOfframpHashContract.body, { txHash })).toEqual([
      { path: 'body.txHash', code: 'INVALID_TYPE', message: 'must be of type string' },
    ]);
  });

  test.each([[[]], [Array(300).fill('x')], [{ length: 0 }]])(
    'a reference that is no text, and would be too short or too long, has the line of its type alone',
    async (externalReference) => {
      expect(await errorsOf(createWithdrawalContract.body, { ...withdrawal, externalReference })).toEqual([
        { path: 'body.externalReference', code: 'INVALID_TYPE', message: 'must be of type string' },
      ]);
    },
  );

  test.each([null, 1, 'text', [], true])('a body that is %j', async (body) => {
    expect(await errorsOf(submitOfframpHashContract.body, body)).toEqual([
      { path: 'body', code: 'INVALID_TYPE', message: 'must be of type object' },
    ]);
  });

  test('every missing value has its line', async () => {
    const errors = await errorsOf(createWithdrawalContract.body, {});
    expect(errors?.map(({ path, code }) => `${path} ${code}`).toSorted()).toEqual([
      'body.amount REQUIRED',
      'body.originExternalWalletId REQUIRED',
      'body.supportedTokenId REQUIRED',
    ]);
  });

  test.each(['0', '101', 'x', '1.5'])('a limit of a page that is %s: it says what it has to be', async (limit) => {
    expect(await errorsOf(listPayinsContract.query, { limit }, 'query')).toEqual([
      { path: 'query.limit', code: 'INVALID_FORMAT', message: 'must be a whole number from 1 to 100' },
    ]);
  });

  test('a time that is none: it says how to write one', async () => {
    expect(await errorsOf(replayEventsContract.body, { since: 'yesterday' })).toEqual([
      {
        path: 'body.since',
        code: 'INVALID_FORMAT',
        message: 'must be a time by RFC 3339 with an offset, like 2026-11-21T09:00:00-05:00',
      },
    ]);
  });

  test.each([null, true, {}, ['1']])('an amount that is neither text nor number: %j', async (amount) => {
    expect(await errorsOf(createWithdrawalContract.body, { ...withdrawal, amount })).toEqual([
      { path: 'body.amount', code: 'INVALID_TYPE', message: 'must be of type string or number' },
    ]);
  });

  test.each(['', 'x', `${WALLET}0`, '44444444444441118444444444444444'])('an id that is %j', async (id) => {
    expect(await errorsOf(createWithdrawalContract.body, { ...withdrawal, originExternalWalletId: id })).toEqual([
      { path: 'body.originExternalWalletId', code: 'INVALID_FORMAT', message: 'must be a UUID' },
    ]);
  });

  test.each(['1', null, true, [1]])('a token id that is %j', async (supportedTokenId) => {
    const errors = await errorsOf(createWithdrawalContract.body, { ...withdrawal, supportedTokenId });
    expect(errors).toHaveLength(1);
    expect(errors?.[0]).toMatchObject({ path: 'body.supportedTokenId', code: 'INVALID_TYPE' });
    expect(errors?.[0]?.message).toMatch(/^must be of type (number|integer)$/);
  });

  test('a text that is too short or too long', async () => {
    expect(await errorsOf(createWithdrawalContract.body, { ...withdrawal, externalReference: '' })).toEqual([
      { path: 'body.externalReference', code: 'OUT_OF_RANGE', message: 'must be at least 1 character long' },
    ]);
    expect(
      await errorsOf(createWithdrawalContract.body, { ...withdrawal, externalReference: 'a'.repeat(256) }),
    ).toEqual([
      { path: 'body.externalReference', code: 'OUT_OF_RANGE', message: 'must be at most 255 characters long' },
    ]);
  });

  test('a number that is too small or too large', async () => {
    expect(await errorsOf(simulateDepositContract.body, { ...deposit, confirmations: -1 })).toEqual([
      { path: 'body.confirmations', code: 'OUT_OF_RANGE', message: 'must be at least 0' },
    ]);
    expect(await errorsOf(simulateDepositContract.body, { ...deposit, confirmations: 1_000_001 })).toEqual([
      { path: 'body.confirmations', code: 'OUT_OF_RANGE', message: 'must be at most 1000000' },
    ]);
  });

  test.each(['1500.0000000000000000001', '1e400'])('a number of too many digits: %s is a number', async (amount) => {
    const body = parseJson(`{"amount":${amount},"currency":"COP","externalReference":${amount}}`);
    expect(await errorsOf(createPayinContract.body, body)).toEqual([
      { path: 'body.amount', code: 'OUT_OF_RANGE', message: expect.stringMatching(/^must be a number that/) },
      { path: 'body.externalReference', code: 'INVALID_TYPE', message: 'must be of type string' },
    ]);
  });

  test('a value that is none of those allowed', async () => {
    expect(await errorsOf(simulateDepositContract.body, { ...deposit, state: 'confirmed' })).toEqual([
      { path: 'body.state', code: 'NOT_ALLOWED', message: 'must be one of UNCONFIRMED, CONFIRMED, FAILED, HELD' },
    ]);
    const credentials = { client_id: 'a', client_secret: 'b', grant_type: 'password' };
    expect(await errorsOf(issueTokenContract.body, credentials)).toEqual([
      { path: 'body.grant_type', code: 'NOT_ALLOWED', message: 'must be client_credentials' },
    ]);
  });

  test('a value of another type than those allowed', async () => {
    expect(await errorsOf(updateWebhookContract.body, { status: 'true' })).toEqual([
      { path: 'body.status', code: 'INVALID_TYPE', message: 'must be of type boolean' },
    ]);
    expect(await errorsOf(simulateDepositContract.body, { ...deposit, state: 1 })).toEqual([
      { path: 'body.state', code: 'INVALID_TYPE', message: 'must be of type string' },
    ]);
  });

  test('a value inside another one has the whole path', async () => {
    const schema = z.object({ list: z.array(z.object({ name: z.string() })) });
    expect(await errorsOf(schema, { list: [{ name: 'a' }, {}] }, 'header')).toEqual([
      { path: 'header.list.1.name', code: 'REQUIRED', message: 'is required' },
    ]);
  });

  test('a pattern is not told to people as a regex', async () => {
    const schema = z.object({ 'Idempotency-Key': z.string().check(z.regex(/^[\x20-\x7e]{1,255}$/)) });
    const errors = await errorsOf(schema, { 'Idempotency-Key': 'ü' }, 'header');
    expect(errors).toHaveLength(1);
    expect(errors?.[0]).toMatchObject({ path: 'header.Idempotency-Key', code: 'INVALID_FORMAT' });
    expect(errors?.[0]?.message).not.toContain('regex');
  });
});

test('decisions 3: unknown body fields are ignored, not refused', () => {
  expect(validate(submitOfframpHashContract.body, { txHash: 'x', more: 1 }, 'body')).toEqual({ txHash: 'x' });
});

test('decisions 4, withdrawal creation: ids are taken in any case and kept in lower case', () => {
  const upperCase = 'ABCDEF01-ABCD-ABCD-ABCD-ABCDEF012345';
  const body = validate(createWithdrawalContract.body, { ...withdrawal, originExternalWalletId: upperCase }, 'body');
  expect(body.originExternalWalletId).toBe(upperCase.toLowerCase());
});
