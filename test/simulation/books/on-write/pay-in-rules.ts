import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import { differing, has, hasAllOrNone, historyOf, instant, number, text } from '../items.ts';
import { must } from '../violation.ts';
import type { Revision, Written } from '../written.ts';

const open = ['CASHININIT', 'PENDING'];

/** docs/lives.md, A pay-in. */
const lives: Readonly<Record<string, readonly string[]>> = {
  CASHININIT: ['COMPLETED', 'FAILED', 'EXPIRED'],
  PENDING: ['COMPLETED', 'FAILED', 'EXPIRED'],
  FAILED: ['COMPLETED'],
  EXPIRED: ['COMPLETED'],
};

const fixed = [
  'clientId',
  'userId',
  'amount',
  'currency',
  'paymentMethod',
  'rail',
  'externalReference',
  'expirationDate',
  'createdAt',
];

/** Milliseconds for which the rail is polled for a pay-in that has ended and may still be paid. */
const POLLED_FOR = 30 * 24 * 3600 * 1000;

/** Checks a write of a pay-in. */
export function checkPayin({ before, after }: Revision, { now, skew }: Written): void {
  const [id, status, history] = [text(after, 'payinId'), text(after, 'status'), historyOf(after)];
  must('the last status of a pay-in is its status', history.at(-1) === status, { id, status, history });
  const isPolled = has(after, 'nextPollAt');
  const since = statusSince(after);
  const isNewlyPaid = status === 'COMPLETED' && (before === undefined || text(before, 'status') !== status);
  const isLate = !open.includes(status) && now + skew >= since + POLLED_FOR;
  const isPastHope = status === 'COMPLETED' ? !isNewlyPaid : isLate;
  must('what may still be paid, or taken back, has a poll to come', isPolled || isPastHope, { id, status });
  const isTakenBack = has(after, 'reversedAt');
  must('only what is completed is taken back', !isTakenBack || status === 'COMPLETED', { id, status });
  const isMismatched = isTakenBack || has(after, 'settlementMismatch');
  must('what waits for finance is not what was ordered', isMismatched || !has(after, 'mismatchedAt'), { id });
  must('what can be paid was ordered', !has(after, 'paymentUrl') || has(after, 'orderingSince'), { id, status });
  if (before === undefined) {
    const isNew = number(after, 'sequence') === 1 && history.length === 1 && open.includes(status);
    must('a pay-in begins open', isNew, { id, status, history });
    checkPlaces(after);
    return;
  }
  const changed = differing(before, after, fixed);
  must('what is to be paid never changes', changed.length === 0, { id, changed });
  checkDecision({ before, after });
  checkPlaces(after);
}

/** A pay-in is in exactly the indexes of its state; lists and reports read these. */
function checkPlaces(after: Item): void {
  const [id, status] = [text(after, 'payinId'), text(after, 'status')];
  const isListed = hasAllOrNone(after, ['mismatched', 'mismatchedAt']);
  const isCounted = has(after, 'completedShard') === (status === 'COMPLETED');
  must('a pay-in is in the indexes of what it is', isListed && isCounted, { id, status });
}

function checkDecision({ before, after }: { readonly before: Item; readonly after: Item }): void {
  const [id, from, to] = [text(after, 'payinId'), text(before, 'status'), text(after, 'status')];
  const isLegal = from === to || lives[from]?.includes(to) === true;
  must('a pay-in goes only along its life', isLegal, { id, from, to });
  const expected = from === to ? historyOf(before) : [...historyOf(before), to];
  must('the history of a pay-in only grows, by its changes', historyOf(after).join() === expected.join(), {
    id,
    from,
    to,
  });
  const isMoney = from === to && moneyOf(before) !== moneyOf(after);
  const isOrdered = text(before, 'orderingSince') !== text(after, 'orderingSince');
  const decisions = Number(from !== to) + Number(isMoney) + Number(isOrdered);
  const [seen, sequence] = [number(before, 'sequence'), number(after, 'sequence')];
  must('the sequence of a pay-in grows by one with every decision', decisions <= 1 && sequence === seen + decisions, {
    id,
    seen,
    sequence,
    decisions,
  });
  const isKept = (name: string) => !has(before, name) || text(before, name) === text(after, name);
  must('a link to pay stays as it is', isKept('paymentUrl'), { id });
}

/** A transfer back to the payer ends one pay-in only. */
export function checkTransferClaim({ before, after }: Revision): void {
  const by = text(after, 'claimedBy');
  must('a transfer ends one pay-in', before === undefined || text(before, 'claimedBy') === by, { by });
}

/** The settlement of a payment that differs from the order, and what finance has done about it. */
function moneyOf(payin: Item): string {
  const names = ['settlementMismatch', 'reversedAt', 'wholeSince', 'mismatchedAt', 'mismatchEnds', 'otherPayments'];
  return JSON.stringify(names.map((name) => payin[name]));
}

/** The time of the current status, in milliseconds since 1970. */
function statusSince(payin: Item): number {
  return instant(payin['statusHistory']?.L?.at(-1)?.M, 'at');
}

/** Reading a rail's list advances step by step, and is complete when no page is left to hand over. */
export function checkListPass({ before, after }: Revision): void {
  const isNext = number(after, 'sequence') === (before === undefined ? 0 : number(before, 'sequence')) + 1;
  const isForward = before === undefined || instant(after, 'doneFrom') >= instant(before, 'doneFrom');
  must('a list of a rail is read on by one call', isNext && isForward, { id: text(after, 'payinId') });
  const isUnderWay = after['isUnderWay']?.BOOL === true;
  must('a list that is read to its end has no next page', isUnderWay || !has(after, 'places'), {
    id: text(after, 'payinId'),
  });
}
