import { isDeepStrictEqual } from 'node:util';
import { PAYOUTS } from '#shared/events/incoming-events.ts';
import type { Deposit } from './deposit.ts';
import type { Said } from './incoming-off-ramp-status.ts';
import { type Contradiction, type EndStatus, mayBecome, type OffRamp, type Payout } from './off-ramp.ts';

/* Pure rules of decisions.md 4: events of other services against the state of an operation. */

/** The most contradictions that one operation keeps. */
const MOST_KEPT = 10;

/** What to do with an event. */
type Verdict =
  /** The operation ends with this status. */
  | EndStatus
  /** Another payout replaces the returned one. */
  | 'PAYS_AGAIN'
  /** The status does not allow it: a person has to decide. */
  | 'CONTRADICTS'
  /** The status may allow it in a moment: an event may arrive before the write that it follows is visible. */
  | 'TOO_EARLY'
  | 'REPEATED'
  /** The source may not send it. */
  | 'REFUSED';

/** Events that only payouts may send. */
const ofPayout: readonly Said['status'][] = ['COMPLETED', 'PAYOUT_RETURNED'];

export function judge(operation: OffRamp, said: Said): Verdict {
  const [from, to] = [operation.status, said.status];
  if (ofPayout.includes(to) && said.source !== PAYOUTS) return 'REFUSED';
  if (from === to && to !== 'COMPLETED') return 'REPEATED';
  if (to === 'AWAITING_DEPOSIT' || to === 'PENDING') return 'REFUSED';
  if (to !== 'PAYOUT_RETURNED' && mayBecome(from, to)) return to;
  return isSaidAgain(operation, said) ? 'REPEATED' : judgeNews(operation, said);
}

/** Judges an event that is not a repeat and that the status does not allow. */
function judgeNews(operation: OffRamp, said: Said): Verdict {
  switch (operation.status) {
    case 'AWAITING_DEPOSIT':
    case 'PENDING':
      return 'TOO_EARLY';
    case 'COMPLETED':
      return said.status === 'COMPLETED' ? judgePayout(operation, said) : 'CONTRADICTS';
    default:
      return ofPayout.includes(said.status) ? 'CONTRADICTS' : 'REPEATED';
  }
}

/** Judges another COMPLETED of a completed operation: by the known payout, its replacement, or a second payout. */
function judgePayout(operation: OffRamp, { payout }: Said): Verdict {
  const reference = payout?.reference;
  if (reference === undefined || reference === operation.payout?.reference) return 'REPEATED';
  const { contradictions = [] } = operation;
  if (contradictions.some((one) => isReturn(one) && one.payout?.reference === reference)) return 'REPEATED';
  return standingOf(operation).some(isReturnOf(operation)) ? 'PAYS_AGAIN' : 'CONTRADICTS';
}

const isReturn = ({ status }: Contradiction) => status === 'PAYOUT_RETURNED';

/** True for the return of the known payout. Only a person can judge the return of another payout. */
function isReturnOf({ payout: known }: OffRamp): (one: Contradiction) => boolean {
  return (one) => {
    const reference = one.payout?.reference;
    return isReturn(one) && (reference === undefined || reference === (known?.reference ?? reference));
  };
}

/** Open contradictions, which a person has not decided yet. */
export function standingOf({ contradictions = [] }: Pick<OffRamp, 'contradictions'>): readonly Contradiction[] {
  return contradictions.filter(({ closedAt }) => closedAt === undefined);
}

/** True for a repeat: the same event or, while a contradiction is open, the same report of the same service. */
function isSaidAgain({ status, endedBy, payout, contradictions = [] }: OffRamp, said: Said): boolean {
  if (said.status === status && said.eventId === endedBy && !isOfAnother(payout, said)) return true;
  return contradictions.some(
    (one) =>
      one.status === said.status &&
      ((one.eventId === said.eventId && !isOfAnother(one.payout, said)) ||
        (one.closedAt === undefined && one.source === said.source && isDeepStrictEqual(one.payout, said.payout))),
  );
}

/** True if the references differ: another reference is another payout, even under a known event id. */
function isOfAnother(known: Payout | undefined, { payout }: Said): boolean {
  const [before, reference] = [known?.reference, payout?.reference];
  return before !== undefined && reference !== undefined && before !== reference;
}

type Change = Partial<OffRamp>;

/** Adds a contradiction to an operation. It overrides a person's decision. */
export function contradictedBy(operation: OffRamp, one: Contradiction): Change {
  const { contradictions = [], contradictionsNotKept = 0, contradictedSince = one.at } = operation;
  const left = contradictions.length < MOST_KEPT ? contradictions : withoutOne(contradictions);
  const isKept = left.length < MOST_KEPT;
  return {
    contradictions: isKept ? [...left, one] : left,
    ...(!isKept && { contradictionsNotKept: contradictionsNotKept + 1 }),
    contradictedSince,
    paidOut: undefined,
  };
}

/** True if an end without a payout contradicts a person's decision that the operation was paid out. */
export function deniesPayout({ paidOut }: OffRamp, end: EndStatus): boolean {
  return paidOut === true && end !== 'COMPLETED';
}

/** Makes room for one more: never drops a reported payout, and drops closed contradictions first. */
function withoutOne(contradictions: readonly Contradiction[]): readonly Contradiction[] {
  const others = contradictions.filter(({ status }) => status !== 'COMPLETED');
  const pushedOut = others.find(({ closedAt }) => closedAt !== undefined) ?? others[0];
  return contradictions.filter((one) => one !== pushedOut);
}

/** Replaces the returned payout by another one, and closes the contradiction about its return. */
export function paidAgainBy(operation: OffRamp, { eventId, payout }: Said, at: string): Change {
  const isClosed = isReturnOf(operation);
  const contradictions = (operation.contradictions ?? []).map((one) =>
    one.closedAt === undefined && isClosed(one) ? { ...one, closedAt: at } : one,
  );
  const [first] = standingOf({ contradictions });
  const stands = first !== undefined || operation.contradictionsNotKept !== undefined;
  const contradictedSince = stands ? (first?.at ?? operation.contradictedSince) : undefined;
  return { contradictions, contradictedSince, payout, endedBy: eventId, paidOut: undefined };
}

/** Closes all contradictions with a person's decision whether the operation was paid out. */
export function resolvedAs(operation: OffRamp, paidOut: boolean, at: string): Change {
  const contradictions = (operation.contradictions ?? []).map((one) => ({ ...one, closedAt: one.closedAt ?? at }));
  return { contradictions, contradictionsNotKept: undefined, contradictedSince: undefined, paidOut };
}

/**
 * True if the payout of an operation may be for this deposit: the credited deposit or, without a credit, any deposit to
 * its address.
 */
export function mayBePaidFor({ verifiedTxHash }: OffRamp, { creditedAt }: Pick<Deposit, 'creditedAt'>): boolean {
  return verifiedTxHash === undefined || creditedAt !== undefined;
}

/** The off-ramp if its payout may be for the deposit: it must not change while a decision on that is written. */
export function paidFor(operation: OffRamp | undefined, deposit: Pick<Deposit, 'creditedAt'>): OffRamp | undefined {
  return operation && mayBePaidFor(operation, deposit) ? operation : undefined;
}

/** True if an operation was paid out, as far as is known. */
export function isPaidOut(operation: OffRamp): boolean {
  return operation.paidOut === true || (operation.status === 'COMPLETED' && !isOwed(operation));
}

/**
 * True if the deposit of an operation is owed: it was credited and, as far as is known, not paid out (decisions.md 11,
 * Lists). This does not check whether the deposit was taken back.
 */
export function isOwed(operation: OffRamp): boolean {
  const { status, verifiedTxHash, paidOut } = operation;
  if (verifiedTxHash === undefined || paidOut === true) return false;
  if (status === 'CANCELLED' || status === 'FAILED') return true;
  return status === 'COMPLETED' && (paidOut === false || standingOf(operation).some(isReturn));
}
