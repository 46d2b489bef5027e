import type { CustodianTransfer, UnreadableTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import { arrivingKey, type Deposit, type DepositReason } from './deposit.ts';

/** What a poll changes. An attribute that is present and undefined is removed. */
export type DepositChange = Pick<
  Partial<Deposit>,
  | 'transfer'
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
  | 'missingCalledAt'
  | 'unreadableSince'
  | 'unreadableFields'
  | 'leftOut'
  | 'leftOutOf'
>;

/** Since when it is among those that finance operations have to look at. */
type Since = Pick<Deposit, 'unmatchedSince' | 'settled'>;

const NOT_UNMATCHED = { unmatched: undefined, unmatchedSince: undefined };

/**
 * Seen and not final yet: the operation that awaits it cannot be cancelled meanwhile. What has been unmatched keeps its
 * reasons: it stays what it is unless it is held or fails, and comes back to that alone.
 */
export function arriving(transfer: CustodianTransfer): DepositChange {
  return { transfer, arrivingAt: arrivingKey(transfer) };
}

/** It has been unmatched, and is not final any more: nobody who is credited with it by itself waits for it. */
export function unconfirmedAgain(transfer: CustodianTransfer): DepositChange {
  return { transfer, arrivingAt: undefined };
}

/** What the custodian says of it cannot be read: all that is known stays. */
export function unreadable(
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

/** It can be read (again). */
export const readable = { unreadable: undefined, unreadableSince: undefined, unreadableFields: undefined };

/** The custodian does not know it (any more). That is no proof: the known facts stay. */
export const notFound: DepositChange = { arrivingAt: undefined };

/** It will never be final, so there is nothing to credit or to send back: it waits for nobody. */
export function failed(transfer: CustodianTransfer): DepositChange {
  return { transfer, arrivingAt: undefined, ...NOT_UNMATCHED };
}

/** It is final and not what its operation awaits. It is kept for finance operations, since the first time that it was. */
export function unmatched(
  seen: Since & Pick<Deposit, 'firstUnmatchedAt'>,
  transfer: CustodianTransfer,
  now: Date,
  reasons: readonly DepositReason[],
): DepositChange {
  const firstUnmatchedAt = seen.firstUnmatchedAt ?? now.toISOString();
  return { transfer, arrivingAt: undefined, ...neverFinal(seen, now), firstUnmatchedAt, reasons: [...reasons] };
}

/** It is still not final after the longest wait, and kept for finance operations. */
export function neverFinal(seen: Since, now: Date): DepositChange {
  if (seen.settled !== undefined) return {};
  return { unmatched: 'UNMATCHED', unmatchedSince: seen.unmatchedSince ?? now.toISOString() };
}

/** Credited, and held or failed: nothing is reversed by itself; a person has to decide. */
export function reversed(seen: Since, transfer: CustodianTransfer, now: Date): DepositChange {
  // Without the time it is in no list: what is settled waits for nobody.
  const since = seen.settled === undefined ? (seen.unmatchedSince ?? now.toISOString()) : undefined;
  return { transfer, unmatched: 'REVERSED', unmatchedSince: since };
}

/** Credited, and confirmed (again). */
export function confirmed(transfer: CustodianTransfer): DepositChange {
  return { transfer, missingSince: undefined, missingCalledAt: undefined, ...NOT_UNMATCHED };
}
