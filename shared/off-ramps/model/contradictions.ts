import { isDeepStrictEqual } from 'node:util';
import { PAYOUTS } from '#shared/events/incoming-events.ts';
import type { Said } from './incoming-off-ramp-status.ts';
import { type Contradiction, type EndStatus, mayBecome, type OffRamp, type Payout } from './off-ramp.ts';

/* Pure rules of decisions.md 4: what another service says of an operation, against what is known of it. */

/** Of one operation. */
const MOST_KEPT = 10;

/** What becomes of what is said. */
type Verdict =
  /** The operation ends so. */
  | EndStatus
  /** Another payout takes the place of one that came back. */
  | 'PAYS_AGAIN'
  /** The status does not allow it: a person has to find out. */
  | 'CONTRADICTS'
  /** It may be allowed in a moment: an event and the write that it tells of are not seen at once. */
  | 'TOO_EARLY'
  | 'REPEATED'
  /** Who says it has no say in it. */
  | 'REFUSED';

/** Only who pays out knows of a payout. */
const ofPayout: readonly Said['status'][] = ['COMPLETED', 'PAYOUT_RETURNED'];

export function judge(operation: OffRamp, said: Said): Verdict {
  const [from, to] = [operation.status, said.status];
  if (ofPayout.includes(to) && said.source !== PAYOUTS) return 'REFUSED';
  if (from === to && to !== 'COMPLETED') return 'REPEATED';
  if (to === 'AWAITING_DEPOSIT' || to === 'PENDING') return 'REFUSED';
  if (to !== 'PAYOUT_RETURNED' && mayBecome(from, to)) return to;
  return isSaidAgain(operation, said) ? 'REPEATED' : judgeNews(operation, said);
}

/** The status does not allow it. */
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

/** A completed operation is said to be completed: by the payout that is known, one in its place, or a second one. */
function judgePayout(operation: OffRamp, { payout }: Said): Verdict {
  const reference = payout?.reference;
  if (reference === undefined || reference === operation.payout?.reference) return 'REPEATED';
  const { contradictions = [] } = operation;
  if (contradictions.some((one) => isReturn(one) && one.payout?.reference === reference)) return 'REPEATED';
  return standingOf(operation).some(isReturnOf(operation)) ? 'PAYS_AGAIN' : 'CONTRADICTS';
}

const isReturn = ({ status }: Contradiction) => status === 'PAYOUT_RETURNED';

/** Whether it says that the payout that is known came back; of another one, only a person knows what that means. */
function isReturnOf({ payout: known }: OffRamp): (one: Contradiction) => boolean {
  return (one) => {
    const reference = one.payout?.reference;
    return isReturn(one) && (reference === undefined || reference === (known?.reference ?? reference));
  };
}

/** Those that stand: a person has not decided yet. */
export function standingOf({ contradictions = [] }: Pick<OffRamp, 'contradictions'>): readonly Contradiction[] {
  return contradictions.filter(({ closedAt }) => closedAt === undefined);
}

/** The same event again or, while a contradiction stands, the same words of the same service. */
function isSaidAgain({ status, endedBy, payout, contradictions = [] }: OffRamp, said: Said): boolean {
  if (said.status === status && said.eventId === endedBy && !isOfAnother(payout, said)) return true;
  return contradictions.some(
    (one) =>
      one.status === said.status &&
      ((one.eventId === said.eventId && !isOfAnother(one.payout, said)) ||
        (one.closedAt === undefined && one.source === said.source && isDeepStrictEqual(one.payout, said.payout))),
  );
}

/** Another reference is another payout, even if its service gives the event the name of one before. */
function isOfAnother(known: Payout | undefined, { payout }: Said): boolean {
  const [before, reference] = [known?.reference, payout?.reference];
  return before !== undefined && reference !== undefined && before !== reference;
}

type Change = Partial<OffRamp>;

/** What the operation has from now on of a contradiction; what a person found out before holds no more. */
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

/** It ends without a payout, and a person has found out that it was paid out. */
export function deniesPayout({ paidOut }: OffRamp, end: EndStatus): boolean {
  return paidOut === true && end !== 'COMPLETED';
}

/** One is pushed out by the next: none that says that it was paid, and one that is closed before one that stands. */
function withoutOne(contradictions: readonly Contradiction[]): readonly Contradiction[] {
  const others = contradictions.filter(({ status }) => status !== 'COMPLETED');
  const pushedOut = others.find(({ closedAt }) => closedAt !== undefined) ?? others[0];
  return contradictions.filter((one) => one !== pushedOut);
}

/** Another payout was made in the place of the one that came back. */
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

/** A person has found out whether it was paid out. */
export function resolvedAs(operation: OffRamp, paidOut: boolean, at: string): Change {
  const contradictions = (operation.contradictions ?? []).map((one) => ({ ...one, closedAt: one.closedAt ?? at }));
  return { contradictions, contradictionsNotKept: undefined, contradictedSince: undefined, paidOut };
}

/**
 * Whether the payout of an operation may be for this deposit to its address: for the one that it was credited with, or,
 * as long as it was credited with none, for any.
 */
export function mayBePaidFor({ verifiedTransferId }: OffRamp, custodianTransferId: string): boolean {
  return verifiedTransferId === undefined || verifiedTransferId === custodianTransferId;
}

/**
 * Whether the deposit of an operation is owed to somebody: it was credited and, as far as is known, not paid out (decisions
 * 11, Lists). Whether the deposit itself is still there is its own matter.
 */
export function isOwed(operation: OffRamp): boolean {
  const { status, verifiedTransferId, paidOut } = operation;
  if (verifiedTransferId === undefined || paidOut === true) return false;
  if (status === 'CANCELLED' || status === 'FAILED') return true;
  return status === 'COMPLETED' && (paidOut === false || standingOf(operation).some(isReturn));
}
