import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  type DepositReason,
  type DepositStatus,
  depositIdOf,
  depositStatusOf,
} from '#shared/off-ramps/model/deposit.ts';
import { unmatchedReasons } from '#shared/off-ramps/model/deposit-match.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { STRANGER } from '#test/support/ids.ts';
import { CREATED_AT, HASH, offRamp, transfer } from '#test/support/off-ramp.ts';

const seen = (state: 'UNCONFIRMED' | 'CONFIRMED' | 'FAILED' | 'HELD') => ({ transfer: transfer({ state }) });

describe('decisions 9, statuses: a deposit', () => {
  test.each<[string, Parameters<typeof depositStatusOf>[0], DepositStatus | undefined]>([
    ['that was not seen yet has none', {}, undefined],
    ['that is unconfirmed', seen('UNCONFIRMED'), 'DETECTED'],
    ['that has too few confirmations', seen('CONFIRMED'), 'DETECTED'],
    ['that is held', seen('HELD'), 'HELD'],
    ['that failed', seen('FAILED'), 'FAILED'],
    ['that is final and not awaited', { ...seen('CONFIRMED'), reasons: ['WRONG_AMOUNT'] }, 'UNMATCHED'],
    ['whose reason is not to be told', { ...seen('CONFIRMED'), reasons: [] }, 'UNMATCHED'],
    ['that is unconfirmed after it was unmatched', { ...seen('UNCONFIRMED'), reasons: ['WRONG_AMOUNT'] }, 'UNMATCHED'],
    ['that is held after it was unmatched', { ...seen('HELD'), reasons: ['WRONG_AMOUNT'] }, 'HELD'],
    ['that waited too long', { ...seen('HELD'), unmatched: 'UNMATCHED' }, 'HELD'],
    ['that was credited', { ...seen('CONFIRMED'), creditedAt: CREATED_AT }, 'CREDITED'],
    ['that was taken back', { ...seen('FAILED'), creditedAt: CREATED_AT, unmatched: 'REVERSED' }, 'REVERSED'],
  ])('%s', (_, deposit, status) => {
    expect(depositStatusOf(deposit)).toBe(status);
  });

  test('has a UUID that is derived from the custodian’s id, and is unique', () => {
    const digest = createHash('sha256').update('sim:1').digest('hex');
    expect(depositIdOf('sim:1')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(depositIdOf('sim:1').slice(0, 13)).toBe(`${digest.slice(0, 8)}-${digest.slice(8, 12)}`);
    expect(depositIdOf('sim:1')).toBe(depositIdOf('sim:1'));
    expect(depositIdOf('sim:1')).not.toBe(depositIdOf('sim:2'));
  });
});

describe('decisions 9, reasons of UNMATCHED: those that hold', () => {
  const other = offRamp({ operationId: STRANGER });
  const foreign = offRamp({ operationId: STRANGER, clientId: STRANGER });

  test.each<[Partial<OffRamp>, OffRamp | undefined, readonly DepositReason[]]>([
    [{ custodianAssetId: 'ETHEREUM:USDC.e' }, undefined, ['WRONG_TOKEN']],
    [{ amount: '100.51' }, undefined, ['WRONG_AMOUNT']],
    [{ senderAddress: `0x${'99'.repeat(20)}` }, undefined, ['WRONG_SENDER']],
    [{ status: 'PENDING', verifiedTxHash: HASH }, offRamp(), ['ALREADY_FUNDED']],
    [{ status: 'CANCELLED' }, undefined, ['OPERATION_ENDED']],
    [{ status: 'FAILED', verifiedTxHash: HASH }, undefined, ['ALREADY_FUNDED', 'OPERATION_ENDED']],
    [{ status: 'COMPLETED', verifiedTxHash: HASH }, undefined, ['ALREADY_FUNDED']],
    [{}, other, ['FUNDS_ANOTHER_OPERATION']],
    [{}, foreign, []],
    [{ amount: '7', status: 'CANCELLED' }, other, ['WRONG_AMOUNT', 'OPERATION_ENDED', 'FUNDS_ANOTHER_OPERATION']],
  ])('of an operation with %j', (awaited, funded, reasons) => {
    expect(unmatchedReasons(offRamp(awaited), transfer(), funded)).toEqual(reasons);
  });

  test('another network counts as another token, without a reason for the address', () => {
    expect(unmatchedReasons(offRamp(), transfer({ network: 'BASE' }), undefined)).toEqual(['WRONG_TOKEN']);
  });
});
