import type { CustodianTransfer, UnreadableTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import { arrivingKey, type Deposit, type DepositReason, transferAttributes } from './deposit.ts';

/** Changes that a poll makes to a deposit. An attribute that is present and undefined is removed. */
export type DepositChange = Pick<
  Partial<Deposit>,
  | 'transfer'
  | 'createdAt'
  | 'createdOn'
  | 'arrivingAt'
  | 'unmatched'
  | 'unmatchedSince'
  | 'firstUnmatchedAt'
  | 'reasons'
  | 'operationId'
  | 'userId'
  | 'clientId'
  | 'detectedAt'
  | 'unreadable'
  | 'missingSince'
  | 'isMissingCalled'
  | 'unreadableSince'
  | 'unreadableFields'
  | 'ignoredReason'
  | 'leftOutOf'
  | 'settled'
>;

/** Since when it is in a list of finance operations. */
type Since = Pick<Deposit, 'unmatchedSince' | 'settled'>;

const NOT_UNMATCHED = { unmatched: undefined, unmatchedSince: undefined };

/**
 * The transfer is seen but not final yet: the operation that awaits it cannot be cancelled. A deposit that was
 * unmatched keeps its reasons: it can only be held, fail, or become unmatched again.
 */
export function transferPending(transfer: CustodianTransfer): DepositChange {
  return { ...transferAttributes(transfer), arrivingAt: arrivingKey(transfer) };
}

/** The custodian's answer is unreadable: the stored data stay. */
export function answerUnreadable(
  seen: Pick<Deposit, 'unreadableSince'>,
  { unreadableFields }: UnreadableTransfer,
  now: Date,
): DepositChange {
  return {
    unreadable: 'UNREADABLE',
    unreadableSince: seen.unreadableSince ?? now.toISOString(),
    unreadableFields,
  };
}

/** The transfer is readable (again). */
export const answerReadable = { unreadable: undefined, unreadableSince: undefined, unreadableFields: undefined };

/** The custodian does not (or no longer) know the transfer. That proves nothing: the stored data stay. */
export const transferNotFound: DepositChange = { arrivingAt: undefined };

/** The transfer has failed or is gone: there is nothing to credit or to return, and nobody has to act. */
export function transferFailed(transfer: CustodianTransfer): DepositChange {
  return { ...transferAttributes(transfer), arrivingAt: undefined, ...NOT_UNMATCHED };
}

/** The transfer is final and not awaited. Lists it for finance, with the time of the first mismatch. */
export function transferUnmatched(
  seen: Since & Pick<Deposit, 'firstUnmatchedAt'>,
  transfer: CustodianTransfer,
  now: Date,
  reasons: readonly DepositReason[],
): DepositChange {
  const firstUnmatchedAt = seen.firstUnmatchedAt ?? now.toISOString();
  return {
    ...transferAttributes(transfer),
    arrivingAt: undefined,
    ...transferNeverFinal(seen, now),
    firstUnmatchedAt,
    reasons: [...reasons],
  };
}

/** The transfer is still not final after the longest wait: lists it for finance operations. */
export function transferNeverFinal(seen: Since, now: Date): DepositChange {
  if (seen.settled !== undefined) return {};
  return { unmatched: 'UNMATCHED', unmatchedSince: seen.unmatchedSince ?? now.toISOString() };
}

/** A credited deposit is held, has failed or is gone: its operation is not changed automatically; a person decides. */
export function creditReversed(seen: Since, transfer: CustodianTransfer, now: Date): DepositChange {
  // A deposit without this time is in no list: a settled deposit does not wait for a person.
  const since = seen.settled === undefined ? (seen.unmatchedSince ?? now.toISOString()) : undefined;
  return { ...transferAttributes(transfer), unmatched: 'REVERSED', unmatchedSince: since };
}

/**
 * A credited deposit is confirmed (again). Only if it is the same money as was credited, this ends a reversal and a
 * WRITTEN_OFF settlement.
 */
export function creditConfirmed(
  { settled }: Pick<Deposit, 'settled'>,
  transfer: CustodianTransfer,
  isSame: boolean,
): DepositChange {
  const isFound = isSame && settled?.outcome === 'WRITTEN_OFF';
  return {
    ...{ ...transferAttributes(transfer), missingSince: undefined, isMissingCalled: undefined },
    ...(isSame && NOT_UNMATCHED),
    ...(isFound && { settled: undefined }),
  };
}
