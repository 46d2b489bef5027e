import { isDeepStrictEqual } from 'node:util';
import { PAYOUTS } from '#shared/events/incoming-events.ts';
import type { Deposit } from './deposit.ts';
import type { StatusReport } from './incoming-off-ramp-status.ts';
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
const ofPayout: readonly StatusReport['status'][] = ['COMPLETED', 'PAYOUT_RETURNED'];

export function judgeReport(operation: OffRamp, report: StatusReport): Verdict {
  const [from, to] = [operation.status, report.status];
  if (ofPayout.includes(to) && report.source !== PAYOUTS) return 'REFUSED';
  if (from === to && to !== 'COMPLETED') return 'REPEATED';
  if (to === 'AWAITING_DEPOSIT' || to === 'PENDING') return 'REFUSED';
  if (to !== 'PAYOUT_RETURNED' && mayBecome(from, to)) return to;
  return isRepeatOf(operation, report) ? 'REPEATED' : judgeNews(operation, report);
}

/** Judges an event that is not a repeat and that the status does not allow. */
function judgeNews(operation: OffRamp, report: StatusReport): Verdict {
  switch (operation.status) {
    case 'AWAITING_DEPOSIT':
    case 'PENDING':
      return 'TOO_EARLY';
    case 'COMPLETED':
      return report.status === 'COMPLETED' ? judgePayout(operation, report) : 'CONTRADICTS';
    default:
      return ofPayout.includes(report.status) ? 'CONTRADICTS' : 'REPEATED';
  }
}

/** Judges another COMPLETED of a completed operation: by the known payout, its replacement, or a second payout. */
function judgePayout(operation: OffRamp, { payout }: StatusReport): Verdict {
  const reference = payout?.reference;
  if (reference === undefined || reference === operation.payout?.reference) return 'REPEATED';
  const { contradictions = [] } = operation;
  if (contradictions.some((one) => isReturn(one) && one.payout?.reference === reference)) return 'REPEATED';
  return openContradictions(operation).some(isReturnOf(operation)) ? 'PAYS_AGAIN' : 'CONTRADICTS';
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
export function openContradictions({ contradictions = [] }: Pick<OffRamp, 'contradictions'>): readonly Contradiction[] {
  return contradictions.filter(({ closedAt }) => closedAt === undefined);
}

/** True for a repeat: the same event or, while a contradiction is open, the same report of the same service. */
function isRepeatOf({ status, endedBy, payout, contradictions = [] }: OffRamp, report: StatusReport): boolean {
  if (report.status === status && report.eventId === endedBy && !isOfAnother(payout, report)) return true;
  return contradictions.some(
    (one) =>
      one.status === report.status &&
      ((one.eventId === report.eventId && !isOfAnother(one.payout, report)) ||
        (one.closedAt === undefined && one.source === report.source && isDeepStrictEqual(one.payout, report.payout))),
  );
}

/** True if the references differ: another reference is another payout, even under a known event id. */
function isOfAnother(known: Payout | undefined, { payout }: StatusReport): boolean {
  const [before, reference] = [known?.reference, payout?.reference];
  return before !== undefined && reference !== undefined && before !== reference;
}

type Change = Partial<OffRamp>;

/** Adds a contradiction to an operation. It overrides a person's decision. */
export function contradictionAdded(operation: OffRamp, one: Contradiction): Change {
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
export function payoutReplaced(operation: OffRamp, { eventId, payout }: StatusReport, at: string): Change {
  const isClosed = isReturnOf(operation);
  const contradictions = (operation.contradictions ?? []).map((one) =>
    one.closedAt === undefined && isClosed(one) ? { ...one, closedAt: at } : one,
  );
  const [first] = openContradictions({ contradictions });
  const stands = first !== undefined || operation.contradictionsNotKept !== undefined;
  const contradictedSince = stands ? (first?.at ?? operation.contradictedSince) : undefined;
  return { contradictions, contradictedSince, payout, endedBy: eventId, paidOut: undefined };
}

/** Closes all contradictions with a person's decision whether the operation was paid out. */
export function contradictionsResolved(operation: OffRamp, paidOut: boolean, at: string): Change {
  const contradictions = (operation.contradictions ?? []).map((one) => ({ ...one, closedAt: one.closedAt ?? at }));
  return { contradictions, contradictionsNotKept: undefined, contradictedSince: undefined, paidOut };
}

/**
 * True if the payout of an operation may be for this deposit: the credited deposit or, without a credit, any deposit to
 * its address.
 */
export function mayPayFor({ verifiedTxHash }: OffRamp, { creditedAt }: Pick<Deposit, 'creditedAt'>): boolean {
  return verifiedTxHash === undefined || creditedAt !== undefined;
}

/** The off-ramp if its payout may be for the deposit: it must not change while a decision on that is written. */
export function operationPayingFor(
  operation: OffRamp | undefined,
  deposit: Pick<Deposit, 'creditedAt'>,
): OffRamp | undefined {
  return operation && mayPayFor(operation, deposit) ? operation : undefined;
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
  return status === 'COMPLETED' && (paidOut === false || openContradictions(operation).some(isReturn));
}
