import { type Deposit, type DepositReturn, depositStatusOf } from './deposit.ts';
import { hasApprovals } from './returns.ts';

/** Changes that a return makes to its deposit. An attribute that is present and undefined is removed. */
export type ReturnChange = Pick<
  Partial<Deposit>,
  | 'return'
  | 'returnState'
  | 'returnDueAt'
  | 'lastSending'
  | 'lastGivenUp'
  | 'transfer'
  | 'unmatched'
  | 'unmatchedSince'
  | 'owed'
  | 'owedSince'
>;

const NOT_LISTED = { unmatched: undefined, unmatchedSince: undefined, owed: undefined };

/** The return is requested. `owedSince` stays: if nothing is sent, the deposit has already been owed for that long. */
export function returnRequested(frozen: DepositReturn): ReturnChange {
  return { return: frozen, returnState: 'WAITING', returnDueAt: frozen.requestedAt, ...NOT_LISTED };
}

/** A person approves the return. With the last needed approval the return is due, unless a person sends it by hand. */
export function returnApproved(seen: DepositReturn, by: string, now: Date): ReturnChange {
  const at = now.toISOString();
  const after = { ...seen, approvals: [...seen.approvals, { by, at }] };
  const returnState = hasApprovals(after) && !seen.isByHand ? 'DUE' : 'WAITING';
  return { return: after, returnState, returnDueAt: at };
}

/** The sending begins, under the next id, or under an earlier id if that sending turns out not to have ended. */
export function sendingBegun(
  { lastSending = 0, lastGivenUp = 0 }: Deposit,
  seen: DepositReturn,
  now: Date,
  { notEndedYet, startedBy }: { readonly notEndedYet?: number | undefined; readonly startedBy?: string },
): ReturnChange {
  const at = now.toISOString();
  return {
    return: { ...seen, sendingAt: at, ...(startedBy !== undefined && { startedBy }) },
    lastSending: notEndedYet ?? Math.max(lastSending, lastGivenUp) + 1,
    returnState: seen.isByHand ? 'WAITING' : 'DUE',
    returnDueAt: at,
  };
}

/** The most failed sendings before a person decides. */
export const MOST_FAILED_SENDINGS = 5;

/** The custodian says that the sending has failed. It is asked once more after 2, 4, 8 … minutes. */
export function sendingEnded(
  { failed = 0, mayStillArrive: _, givenUpAt: __, ...seen }: DepositReturn,
  now: Date,
): ReturnChange {
  const after = failed + 1;
  const next = new Date(now.getTime() + 2 ** after * 60_000).toISOString();
  return { return: { ...seen, endedAt: now.toISOString(), failed: after }, returnDueAt: next };
}

/** Nothing was sent: the next sending gets another id or, after `MOST_FAILED_SENDINGS` failures, a person decides. */
export function nothingSent({ sendingAt: _, endedAt: __, ...seen }: DepositReturn, now: Date): ReturnChange {
  const isGivenUp = (seen.failed ?? 0) >= MOST_FAILED_SENDINGS;
  return { return: seen, returnState: isGivenUp ? 'WAITING' : 'DUE', returnDueAt: now.toISOString() };
}

/**
 * The custodian has given the sending up, but the chain may still take it: two persons decide, unless the outcome
 * becomes known before.
 */
export function sendingMayStillArrive(seen: DepositReturn, now: Date): ReturnChange {
  return { return: { ...seen, mayStillArrive: true }, returnDueAt: now.toISOString() };
}

/** Two persons give the sending up. The custodian is asked at once whether it still says so. */
export function sendingGivenUp({ isByHand: _, ...seen }: DepositReturn, now: Date): ReturnChange {
  const at = now.toISOString();
  return { return: { ...seen, givenUpAt: at }, returnState: 'DUE', returnDueAt: at };
}

/** A person has recorded another payment in the place of the service's sending, which may arrive, too. */
export function isInPlaceOfSending({ isByHand, startedBy }: DepositReturn): boolean {
  return isByHand === true && startedBy === undefined;
}

/** The custodian has not given the sending up, or no longer: the decision of persons is withdrawn. */
export function givingUpWithdrawn({ mayStillArrive: _, givenUpAt: __, ...seen }: DepositReturn): ReturnChange {
  return { return: seen };
}

/** The sending has not ended after all, although the custodian had said so. */
export function sendingNotEnded({ endedAt: _, ...seen }: DepositReturn): ReturnChange {
  return { return: seen };
}

/** The return is made. `nextAt` is when its transaction is checked again. */
export function returnMade(
  { endedAt: _, mayStillArrive: __, givenUpAt: ___, ...sent }: DepositReturn,
  {
    txHash,
    block,
    isByHand = false,
  }: { readonly txHash: string; readonly block?: number | undefined; readonly isByHand?: boolean },
  now: Date,
  nextAt: string | undefined,
): ReturnChange {
  return {
    return: {
      ...{ ...sent, txHash, returnedAt: now.toISOString() },
      ...(block !== undefined && { block }),
      ...(isByHand && { isByHand }),
    },
    returnState: nextAt === undefined ? undefined : 'WATCHED',
    returnDueAt: nextAt,
    ...{ ...NOT_LISTED, owedSince: undefined },
  };
}

/** A reorganisation has undone the transaction: the deposit is being sent, as before. */
export function returnUndone({ txHash, returnedAt: _, block: __, ...seen }: DepositReturn, now: Date): ReturnChange {
  const after = { ...seen, ...(txHash !== undefined && { undoneTxHash: txHash }) };
  return { return: after, returnState: seen.isByHand ? 'WAITING' : 'DUE', returnDueAt: now.toISOString() };
}

/** The return has ended and nothing was sent: the deposit goes back to the list that it belongs to. */
export function returnEnded(deposit: Deposit, isOwed: boolean, now: Date): ReturnChange {
  const { return: seen, ...rest } = deposit;
  const none = { return: undefined, returnState: undefined, returnDueAt: undefined };
  const { lastSending = 0, lastGivenUp = 0 } = deposit;
  const decided = seen?.givenUpAt === undefined ? {} : { lastGivenUp: Math.max(lastSending, lastGivenUp) };
  return { ...none, ...decided, ...financeListChange(rest, isOwed, now) };
}

/** The list of finance operations that a deposit belongs to. */
export function financeListChange(seen: Deposit, isOwed: boolean, now: Date): ReturnChange {
  const at = now.toISOString();
  const status = depositStatusOf(seen);
  const owed = isOwed ? ({ owed: 'OWED', owedSince: seen.owedSince ?? at } as const) : {};
  // After a restore, a deposit to an unknown address is listed, too.
  const isNotOurs = seen.ignoredReason === 'NOT_OURS' && seen.creditedAt === undefined;
  if (status === 'UNMATCHED' || isNotOurs || (status === 'HELD' && seen.firstUnmatchedAt !== undefined))
    return { unmatched: 'UNMATCHED', unmatchedSince: seen.firstUnmatchedAt ?? at };
  return status === 'REVERSED' ? { ...owed, unmatchedSince: at } : owed;
}
