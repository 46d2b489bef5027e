import { describe, expect, test } from 'vitest';
import { getPayin } from '#functions/pay-ins/get-payin/get-payin.ts';
import type { Payin } from '#shared/pay-ins/pay-in.ts';
import { getPayinContract } from '#shared/pay-ins/pay-in-contract.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { STRANGER, USER } from '#test/support/ids.ts';
import { CREATED_AT } from '#test/support/off-ramp.ts';
import { PAYIN, payinOf, payinsInMemory } from '#test/support/pay-ins-in-memory.ts';
import { routeCall } from '#test/support/route-call.ts';

const OWN = { user_id: USER, payin_id: PAYIN };

/** Reads of the only pay-in that there is. */
function reading(payin: Partial<Payin> = {}) {
  const useCase = getPayin(payinsInMemory(payinOf(payin)).find);
  return (path: Readonly<Record<string, string>> = OWN) => useCase(routeCall(getPayinContract, path));
}

describe('interface 2.4: a pay-in as its client reads it', () => {
  test('has the values and the time of its creation, every status it has had, and the sequence of its events', async () => {
    const statusHistory = [
      { status: 'CASHININIT', at: CREATED_AT },
      { status: 'EXPIRED', at: '2026-08-02T12:00:00.000Z' },
      { status: 'COMPLETED', at: '2026-08-03T12:00:00.000Z' },
    ] as const;
    const told = { externalReference: 'invoice-7', paymentUrl: 'https://pse.example/p' };
    const { body } = await reading({ status: 'COMPLETED', sequence: 4, statusHistory, ...told })();
    expect(body).toEqual({
      id: PAYIN,
      userId: USER,
      status: 'COMPLETED',
      currency: 'COP',
      amount: 150_000.5,
      paymentMethod: 'PSE',
      ...told,
      pseLink: told.paymentUrl,
      createdAt: CREATED_AT,
      sequence: 4,
      statusHistory,
    });
    expect(getPayinContract.success.body.parse(body)).toEqual(body);
  });

  test('has nothing internal: no phone, no mismatch, no time of the order', async () => {
    const kept = {
      phone: '3107654321',
      orderingSince: CREATED_AT,
      settlementMismatch: { amount: '1', currency: 'COP', at: CREATED_AT },
    };
    const { body } = await reading(kept)();
    expect(Object.keys(body).sort()).toEqual([
      'amount',
      'createdAt',
      'currency',
      'id',
      'paymentMethod',
      'sequence',
      'status',
      'statusHistory',
      'userId',
    ]);
  });
});

describe('decisions 1: a pay-in that is not the caller’s does not exist', () => {
  test.each<[string, Partial<Payin>, Readonly<Record<string, string>>]>([
    ['another client’s', { clientId: STRANGER }, OWN],
    ['another user’s of the same client', { userId: STRANGER }, OWN],
    ['its own, asked for with another user', {}, { ...OWN, user_id: STRANGER }],
    ['an unknown one', {}, { ...OWN, payin_id: STRANGER }],
  ])('%s is 404 PAYIN_NOT_FOUND', async (_, payin, path) => {
    expect(await expectApiError(() => reading(payin)(path))).toMatchObject({ status: 404, code: 'PAYIN_NOT_FOUND' });
  });
});
