import { randomUUID } from 'node:crypto';
import { describe, expect, inject, test } from 'vitest';
import { withChecksum } from '#shared/networks/address-checksum.ts';
import { createWithdrawalContract } from '#shared/off-ramps/contract/withdrawal-contract.ts';
import { callAs, OffRampUser, problemOf, withdrawalPath } from '#test/support/http-client.ts';

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
      // The answer has the address with its checksum (EIP-55).
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
});
