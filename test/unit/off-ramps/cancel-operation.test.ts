import { describe, expect, test } from 'vitest';
import { cancelOperation } from '#functions/off-ramps/cancel-operation/cancel-operation.ts';
import { cancelOperationContract } from '#shared/off-ramps/contract/off-ramp-contract.ts';
import { type AskForTransfers, CustodianUnavailable } from '#shared/off-ramps/custodians/custodian.ts';
import type { Deposit } from '#shared/off-ramps/model/deposit.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { createDepositRepository } from '#shared/off-ramps/store/deposit-repository.ts';
import { createIsDepositOnItsWay } from '#shared/off-ramps/transitions/deposit-on-its-way.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CLIENT, OPERATION, STRANGER, USER } from '#test/support/ids.ts';
import { CREATED_AT, EXPIRES_AT, HASH, offRamp, transfer } from '#test/support/off-ramp.ts';
import { offRampsInMemory, TABLES } from '#test/support/off-ramps-in-memory.ts';
import { routeCall } from '#test/support/route-call.ts';

const SEARCH = `HASH#${CLIENT}#ETHEREUM#${HASH}`;

const nothingThere: AskForTransfers = async () => [];

/** An operation that has reported its hash, and a custodian. */
async function world(findTransfers = nothingThere, differences: Partial<OffRamp> = {}) {
  const clock = fakeClock(CREATED_AT);
  const offRamps = offRampsInMemory(clock, offRamp());
  const { dynamo, operations, endOperation, beginAttempt, kept, change } = offRamps;
  await beginAttempt(await kept(), { txHash: HASH, windowEndsAt: EXPIRES_AT });
  await change(differences);
  const deposits = createDepositRepository(dynamo, TABLES.deposits, clock);
  const { searches } = offRamps;
  const isDepositOnItsWay = createIsDepositOnItsWay({
    ...{ deposits, searches, findTransfers, clock },
    isCancel: true,
  });
  const useCase = cancelOperation({ operations, isDepositOnItsWay, endOperation, clock });
  const path = { user_id: USER, operation_id: OPERATION };
  return {
    ...offRamps,
    cancel: (of: Partial<typeof path> = {}) => useCase(routeCall(cancelOperationContract, { ...path, ...of })),
  };
}

describe('decisions 4, cancelling: an operation that awaits its deposit', () => {
  test('is CANCELLED by its client, and answered with its history', async () => {
    const { cancel, kept } = await world();
    const { body } = await cancel();
    expect(body.operation).toMatchObject({
      id: OPERATION,
      status: 'CANCELLED',
      statusHistory: [{ status: 'AWAITING_DEPOSIT' }, { status: 'CANCELLED', reason: 'CANCELLED_BY_CLIENT' }],
    });
    expect((await kept()).operation.status).toBe('CANCELLED');
  });

  test('before it reported a hash is CANCELLED, and the custodian is not asked', async () => {
    const { cancel } = await world(() => Promise.reject(new Error('asked')), { txHash: undefined });
    expect((await cancel()).body.operation.status).toBe('CANCELLED');
  });

  test('has the custodian asked for its hash, since its creation', async () => {
    const asked: unknown[] = [];
    const { cancel } = await world(async (query) => {
      asked.push(query);
      return [];
    });
    await cancel();
    expect(asked).toEqual([{ network: 'ETHEREUM', txHash: HASH, since: CREATED_AT, cancelledBy: CLIENT }]);
  });

  test.each(['PENDING', 'COMPLETED', 'CANCELLED', 'FAILED'] as const)('once it is %s: 409', async (status) => {
    const { cancel, kept } = await world(nothingThere, { status });
    expect((await expectApiError(cancel)).code).toBe('OPERATION_NOT_AWAITING_DEPOSIT');
    expect((await kept()).operation.status).toBe(status);
  });

  test('of another user is 404', async () => {
    const { cancel } = await world();
    expect((await expectApiError(() => cancel({ user_id: STRANGER }))).code).toBe('OFF_RAMP_NOT_FOUND');
  });
});

describe('decisions 4, cancelling: a deposit that is on its way refuses it with 409 DEPOSIT_IN_PROGRESS', () => {
  test.each([
    ['unconfirmed', transfer({ state: 'UNCONFIRMED' })],
    ['held', transfer({ state: 'HELD' })],
    ['confirmed, but not yet credited', transfer()],
    ['so new that its addresses are not known', transfer({ state: 'UNCONFIRMED', toAddress: '', fromAddress: '' })],
    ['so new that its receiver is not known', transfer({ state: 'UNCONFIRMED', toAddress: '' })],
    ['so new that its sender is not known', transfer({ state: 'UNCONFIRMED', fromAddress: '' })],
  ])('the reported deposit is %s', async (_, arriving) => {
    const { cancel, kept, searches } = await world(async () => [arriving]);
    expect((await expectApiError(cancel)).code).toBe('DEPOSIT_IN_PROGRESS');
    expect((await kept()).operation.status).toBe('AWAITING_DEPOSIT');
    // The hash stays in the search: its window may be over, and its notification lost.
    expect(await searches.find(`HASH#${CLIENT}#ETHEREUM#${HASH}`)).toMatchObject({
      txHash: HASH,
      nextPollAt: CREATED_AT,
    });
  });

  test('decisions 12, boundary: is not CANCELLED while an unreadable transfer may be its deposit', async () => {
    const { network, txHash } = transfer();
    const unreadable = {
      custodianTransferId: 'other',
      network,
      txHash,
      state: 'UNREADABLE',
      unreadableFields: 'amount',
    } as const;
    const { cancel } = await world(async () => [transfer({ amount: '7' }), unreadable]);
    expect((await expectApiError(cancel)).code).toBe('SERVICE_UNAVAILABLE');
    const there = await world(async () => [transfer(), unreadable]);
    expect((await expectApiError(there.cancel)).code).toBe('DEPOSIT_IN_PROGRESS');
  });

  test('decisions 12, searching: the refusal says when the custodian wants to be asked again', async () => {
    const { cancel } = await world(() => Promise.reject(new CustodianUnavailable('429', { retryAfter: 29.5 })));
    expect((await expectApiError(cancel)).retryAfterSeconds).toBe(30);
  });

  test('a wrong request to the custodian is our own fault', async () => {
    const { cancel } = await world(() => Promise.reject(new Error('unauthorized')));
    await expect(cancel()).rejects.toThrow('unauthorized');
  });

  test.each([
    ['no transaction', []],
    ['one that failed', [transfer({ state: 'FAILED' })]],
    ['one to somebody else', [transfer({ toAddress: `0x${'99'.repeat(20)}` })]],
  ])('%s does not stand in the way', async (_, transfers) => {
    const { cancel } = await world(async () => transfers);
    expect((await cancel()).body.operation.status).toBe('CANCELLED');
  });

  /** Stores the deposit of the reported hash. */
  const known = (differences: Partial<Deposit>) => {
    const { custodianTransferId, network, txHash } = transfer();
    const at = { firstNotifiedAt: CREATED_AT, lastNotifiedAt: CREATED_AT };
    return { ...{ custodianTransferId, network, txHash }, ...at, transfer: transfer(), ...differences };
  };
  const settled = { outcome: 'KEPT', by: 'finance', at: CREATED_AT, reason: 'why' } as const;

  test.each<[string, Partial<Deposit>]>([
    ['was unmatched', { unmatched: 'UNMATCHED', unmatchedSince: CREATED_AT, firstUnmatchedAt: CREATED_AT }],
    [
      'is still not final after the longest wait',
      { unmatched: 'UNMATCHED', unmatchedSince: CREATED_AT, transfer: transfer({ state: 'UNCONFIRMED' }) },
    ],
    ['is settled', { settled }],
    ['is credited to another', { creditedAt: CREATED_AT }],
    ['is another record of a deposit', { ignoredReason: 'RECORDED_TWICE' }],
  ])('a deposit that %s does not stand in the way, either', async (_, differences) => {
    const { cancel, table } = await world(async () => [transfer()]);
    table(TABLES.deposits).put(known(differences));
    expect((await cancel()).body.operation.status).toBe('CANCELLED');
  });

  test.each<[string, Partial<Deposit>, boolean]>([
    ['is polled: it is not looked for', { nextPollAt: EXPIRES_AT }, false],
    ['is not asked for any more: it is looked for', {}, true],
  ])('a known deposit stands in the way, and %s', async (_, differences, isSearched) => {
    const { cancel, table, searches } = await world(async () => [transfer()]);
    table(TABLES.deposits).put(known(differences));
    expect((await expectApiError(cancel)).code).toBe('DEPOSIT_IN_PROGRESS');
    expect((await searches.find(SEARCH)) !== undefined).toBe(isSearched);
  });
});
