import { describe, expect, test } from 'vitest';
import { getOfframpHash } from '#functions/off-ramps/get-offramp-hash/get-offramp-hash.ts';
import type { OffRamp } from '#shared/off-ramps/off-ramp.ts';
import { getOfframpHash as contract } from '#shared/off-ramps/off-ramp-hash-contract.ts';
import type { Verification } from '#shared/off-ramps/verification.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { CLIENT, OPERATION, STRANGER, USER } from '#test/support/ids.ts';
import { CREATED_AT, EXPIRES_AT, HASH, OTHER_HASH, offRamp, verification } from '#test/support/off-ramp.ts';
import { routeCall } from '#test/support/route-call.ts';

const NEXT = '2026-08-01T13:00:00.000Z';

function read(
  operation: OffRamp,
  attempt?: Verification,
  caller: { clientId?: string; userId?: string; id?: string } = {},
) {
  const { clientId = CLIENT, userId = USER, id = OPERATION } = caller;
  const useCase = getOfframpHash({
    findWithVerification: async (operationId) =>
      operationId === OPERATION ? { operation, verification: attempt } : undefined,
  });
  return useCase(routeCall(contract, { user_id: userId, operation_id: id }, {}, { clientId }));
}

/** The answer as the client gets it: shaped by the contract and sent as JSON. */
async function answer(operation: OffRamp, attempt?: Verification): Promise<unknown> {
  return JSON.parse(JSON.stringify(contract.success.body.parse((await read(operation, attempt)).body)));
}

const reported = offRamp({ txHash: HASH, attempt: 1, sequence: 2 });
const always = { source: 'REPORTED', attempt: 1, windowEndsAt: EXPIRES_AT };

describe('interface 2.6: the hash read', () => {
  test('NOT_SUBMITTED: both hashes null, and no verification', async () => {
    expect(await answer(offRamp())).toEqual({
      operationId: OPERATION,
      operationStatus: 'AWAITING_DEPOSIT',
      txHash: null,
      verifiedTxHash: null,
      status: 'NOT_SUBMITTED',
    });
  });

  test('VERIFYING: the hash reported, and when the first poll is', async () => {
    expect(await answer(reported, verification())).toEqual({
      operationId: OPERATION,
      operationStatus: 'AWAITING_DEPOSIT',
      txHash: HASH,
      verifiedTxHash: null,
      status: 'VERIFYING',
      verification: { ...always, state: 'ACTIVE', nextCheckAt: CREATED_AT },
    });
  });

  test('VERIFIED by the hash reported: nothing is said that is over', async () => {
    const operation = offRamp({ ...reported, status: 'PENDING', verifiedTxHash: HASH });
    const polled = verification({
      lastCheckedAt: CREATED_AT,
      nextCheckAt: NEXT,
      reason: 'UNCONFIRMED',
      confirmations: 3,
    });
    expect(await answer(operation, polled)).toEqual({
      operationId: OPERATION,
      operationStatus: 'PENDING',
      txHash: HASH,
      verifiedTxHash: HASH,
      status: 'VERIFIED',
      verification: { ...always, lastCheckedAt: CREATED_AT },
    });
  });

  test('VERIFIED stays VERIFIED when the operation is completed', async () => {
    const operation = offRamp({ ...reported, status: 'COMPLETED', verifiedTxHash: HASH });
    expect(await answer(operation, verification())).toMatchObject({ operationStatus: 'COMPLETED', status: 'VERIFIED' });
  });

  test('NOT_VERIFIED: the operation left AWAITING_DEPOSIT, no poll is to come, why the deposit did not match is still told', async () => {
    const polled = verification({ lastCheckedAt: CREATED_AT, nextCheckAt: NEXT, reason: 'NOT_FOUND' });
    expect(await answer({ ...reported, status: 'CANCELLED' }, polled)).toEqual({
      operationId: OPERATION,
      operationStatus: 'CANCELLED',
      txHash: HASH,
      verifiedTxHash: null,
      status: 'NOT_VERIFIED',
      verification: { ...always, lastCheckedAt: CREATED_AT, reason: 'NOT_FOUND' },
    });
  });

  test('NOT_VERIFIED without a report has no verification', async () => {
    const read = await answer(offRamp({ status: 'FAILED' }));
    expect(read).toMatchObject({ status: 'NOT_VERIFIED', txHash: null });
    expect(read).not.toHaveProperty('verification');
  });
});

describe('decisions 4, verification in the hash read', () => {
  const verificationOf = async (operation: OffRamp, attempt?: Verification) =>
    (await read(operation, attempt)).body.verification;

  test('has the reason once a poll found that the deposit does not match, and when the next poll is', async () => {
    const polled = verification({ lastCheckedAt: CREATED_AT, nextCheckAt: NEXT, reason: 'WRONG_AMOUNT' });
    expect(await verificationOf(reported, polled)).toEqual({
      ...always,
      state: 'ACTIVE',
      lastCheckedAt: CREATED_AT,
      nextCheckAt: NEXT,
      reason: 'WRONG_AMOUNT',
    });
  });

  test('has how many confirmations are there and how many are needed', async () => {
    const counts = { reason: 'UNCONFIRMED', confirmations: 0, requiredConfirmations: 12 } as const;
    const polled = verification({ lastCheckedAt: CREATED_AT, nextCheckAt: NEXT, ...counts });
    expect(await verificationOf(reported, polled)).toMatchObject(counts);
  });

  test('is VERIFYING still after the window, with no poll to come, and its state says so', async () => {
    const polled = verification({ lastCheckedAt: EXPIRES_AT, nextCheckAt: undefined, reason: 'NOT_FOUND' });
    expect(await answer(reported, polled)).toMatchObject({ status: 'VERIFYING', operationStatus: 'AWAITING_DEPOSIT' });
    expect(await verificationOf(reported, polled)).toEqual({
      ...always,
      state: 'WINDOW_ENDED',
      lastCheckedAt: EXPIRES_AT,
      reason: 'NOT_FOUND',
    });
  });

  test('says DETECTED when the verified deposit was found without a report', async () => {
    const operation = offRamp({ status: 'PENDING', verifiedTxHash: OTHER_HASH });
    expect(await answer(operation)).toMatchObject({ status: 'VERIFIED', txHash: null, verifiedTxHash: OTHER_HASH });
    expect(await verificationOf(operation)).toEqual({ source: 'DETECTED' });
  });

  test('says DETECTED when the verified deposit was found by another hash than the reported one', async () => {
    const operation = offRamp({ ...reported, status: 'PENDING', verifiedTxHash: OTHER_HASH });
    const polled = verification({ lastCheckedAt: CREATED_AT, nextCheckAt: NEXT, reason: 'NOT_FOUND' });
    expect(await answer(operation, polled)).toMatchObject({ txHash: HASH, verifiedTxHash: OTHER_HASH });
    expect(await verificationOf(operation, polled)).toEqual({ source: 'DETECTED' });
  });

  test('has the attempt and the window of a later submission', async () => {
    const later = verification({ attempt: 3, windowEndsAt: '2026-08-03T12:30:00.000Z' });
    expect(await verificationOf({ ...reported, attempt: 3 }, later)).toMatchObject({
      attempt: 3,
      windowEndsAt: '2026-08-03T12:30:00.000Z',
    });
  });
});

test.each([
  ['does not exist', { id: STRANGER }],
  ['belongs to another user', { userId: STRANGER }],
  ['belongs to another client', { clientId: STRANGER }],
])('interface 7: 404 when the operation %s', async (_, caller) => {
  const error = await expectApiError(() => read(offRamp(), undefined, caller));
  expect([error.status, error.code]).toEqual([404, 'OFF_RAMP_NOT_FOUND']);
});
