import { randomUUID } from 'node:crypto';
import { describe, expect, inject, test } from 'vitest';
import { withChecksum } from '#shared/networks/address-checksum.ts';
import { createWithdrawalContract } from '#shared/off-ramps/contract/withdrawal-contract.ts';
import { callAs, demoClient, OffRampUser, problemOf, withdrawalPath } from '#test/support/http-client.ts';

const user = new OffRampUser();
const path = withdrawalPath(user.userId);
const create = (body: unknown, headers: Record<string, string> = {}) =>
  callAs(user.client, 'POST', path, body, headers);

describe('decisions 4: withdrawal creation', () => {
  test('interface 2.5: the operation has its status, address, exact amount and end of the retries', async () => {
    const answer = await create({ ...user.order('250.50'), externalReference: 'order-1' });
    expect(answer.status).toBe(201);
    const { operation } = createWithdrawalContract.success.body.parse(JSON.parse(answer.text));
    expect(operation).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'AWAITING_DEPOSIT',
      // Given out with its checksum (EIP-55).
      address: withChecksum('POLYGON', operation.address.toLowerCase()),
      network: 'POLYGON',
      token: user.token,
      amount: '250.5',
      originExternalWalletId: user.wallet.id,
      externalReference: 'order-1',
    });
    const window = Date.parse(operation.expiresAt) - Date.parse(operation.createdAt);
    expect(window).toBe(inject('windowSeconds') * 1000);
  });

  test.each(['POLYGON', 'TRON', 'STELLAR', 'SOLANA', 'SUI'] as const)(
    'on %s every operation has an address of its own, or a tag',
    async (network) => {
      const here = new OffRampUser(network);
      const [one, other] = [await here.create(), await here.create()];
      expect(one.network).toBe(network);
      expect([one.address, one.addressTag]).not.toEqual([other.address, other.addressTag]);
      expect(one.addressTag !== undefined).toBe(network === 'STELLAR');
    },
  );

  test('an amount as a JSON number is taken exactly as it was written', async () => {
    const written = `{"originExternalWalletId":"${user.wallet.id}","supportedTokenId":${user.tokenId},"amount":0.100001}`;
    expect(JSON.parse((await create(written)).text)).toMatchObject({ operation: { amount: '0.100001' } });
  });

  test.each<[string, unknown, string]>([
    ['zero', '0', 'INVALID_AMOUNT'],
    ['negative', '-1', 'INVALID_AMOUNT'],
    ['more decimals than the token has', '1.0000001', 'TOO_MANY_DECIMALS'],
    ['less than the smallest amount', '0.009999', 'AMOUNT_OUT_OF_BOUNDS'],
    ['more than the largest amount', '1000000.000001', 'AMOUNT_OUT_OF_BOUNDS'],
    ['an exponent', '1e3', 'INVALID_AMOUNT'],
    ['no amount', undefined, 'REQUIRED'],
    ['of another type', { value: 1 }, 'INVALID_TYPE'],
  ])('amount: %s is refused with 422', async (_, amount, code) => {
    const problem = problemOf(await create({ ...user.order(), amount }));
    expect(problem).toMatchObject({ status: 422, code: 'VALIDATION_FAILED', errors: [{ path: 'body.amount', code }] });
  });

  test('a token that is not listed, or not on the wallet’s network, is refused with 422', async () => {
    const usdt = 2;
    const stellar = new OffRampUser('STELLAR');
    const unknown = problemOf(await create({ ...user.order(), supportedTokenId: 999 }));
    const elsewhere = problemOf(
      await callAs(stellar.client, 'POST', withdrawalPath(stellar.userId), {
        ...stellar.order(),
        supportedTokenId: usdt,
      }),
    );
    for (const problem of [unknown, elsewhere]) {
      expect(problem).toMatchObject({
        status: 422,
        errors: [{ path: 'body.supportedTokenId', code: 'TOKEN_NOT_SUPPORTED' }],
      });
    }
  });

  test('an unknown wallet and a foreign one are both 404 EXTERNAL_WALLET_NOT_FOUND', async () => {
    const foreign = new OffRampUser('POLYGON', 'second').wallet.id;
    for (const originExternalWalletId of [randomUUID(), foreign]) {
      const problem = problemOf(await create({ ...user.order(), originExternalWalletId }));
      expect(problem).toMatchObject({ status: 404, code: 'EXTERNAL_WALLET_NOT_FOUND' });
    }
  });

  test('an unknown user, a foreign one and an id that is no UUID are all 404 USER_NOT_FOUND', async () => {
    const foreign = new OffRampUser('POLYGON', 'second').userId;
    for (const userId of [randomUUID(), foreign, 'not-a-uuid']) {
      const answer = await callAs(user.client, 'POST', withdrawalPath(userId), user.order());
      expect(problemOf(answer)).toMatchObject({ status: 404, code: 'USER_NOT_FOUND' });
    }
  });

  test('interface 5.4: a client that is not approved gets 403 CLIENT_NOT_APPROVED', async () => {
    const client = demoClient('not-approved');
    const answer = await callAs(client, 'POST', withdrawalPath(client.users[0]?.userId ?? ''), user.order());
    expect(problemOf(answer)).toMatchObject({ status: 403, code: 'CLIENT_NOT_APPROVED' });
  });
});

describe('decisions 5: Idempotency-Key', () => {
  test('the first answer is replayed, another body is refused', async () => {
    const key = { 'Idempotency-Key': randomUUID() };
    const first = await create(user.order(), key);
    const again = await create(user.order(), key);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.text).toBe(first.text);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(problemOf(await create(user.order('1'), key))).toMatchObject({
      status: 422,
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
  });

  test('many at once create one operation', async () => {
    const key = { 'Idempotency-Key': randomUUID() };
    const answers = await Promise.all(Array.from({ length: 8 }, () => create(user.order(), key)));
    const created = answers.filter(({ status }) => status === 201).map(({ text }) => text);
    expect(new Set(created).size).toBe(1);
    for (const refused of answers.filter(({ status }) => status !== 201)) {
      expect(problemOf(refused)).toMatchObject({ status: 409, code: 'IDEMPOTENCY_IN_PROGRESS' });
    }
  });

  test('the key belongs to client, user and route: elsewhere it is another key', async () => {
    const key = { 'Idempotency-Key': randomUUID() };
    const second = new OffRampUser('POLYGON', 'second');
    const mine = await create(user.order(), key);
    const theirs = await callAs(second.client, 'POST', withdrawalPath(second.userId), second.order(), key);
    expect([mine.status, theirs.status]).toEqual([201, 201]);
  });

  test('a refused request frees the key', async () => {
    const key = { 'Idempotency-Key': randomUUID() };
    expect((await create({ ...user.order(), supportedTokenId: 999 }, key)).status).toBe(422);
    expect((await create(user.order(), key)).status).toBe(201);
  });

  test.each(['', 'x'.repeat(256)])('a key of a wrong length is refused', async (key) => {
    const problem = problemOf(await create(user.order(), { 'Idempotency-Key': key }));
    expect(problem).toMatchObject({ status: 422, errors: [{ path: 'header.Idempotency-Key' }] });
  });
});
