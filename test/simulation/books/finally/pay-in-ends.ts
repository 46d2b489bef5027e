import { Big } from 'big.js';
import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import { STALE } from '../fits.ts';
import { has, historyOf, instant, text } from '../items.ts';
import type { PaymentPhase, TruePayment } from '../truth.ts';
import { must } from '../violation.ts';
import { type Aftermath, LATE } from './aftermath.ts';

/** Milliseconds: the rail's list of payments is read once a day. */
const LISTED = 25 * 3600_000;

const HOUR = 3600_000;

/** Checks that pay-ins agree with the rail. */
export function checkPayinEnds(aftermath: Aftermath): void {
  const { ledger, truth, now } = aftermath;
  const payments = Map.groupBy(truth.payments, ({ reference }) => reference);
  for (const all of payments.values()) {
    for (const payment of all) {
      if (payment.lostAt === undefined) checkPayment(payment, all, aftermath);
      else checkLost(payment, aftermath);
    }
    checkTotal(all, aftermath);
  }
  for (const [id, payin] of ledger.payins) {
    const isPolled = instant(payin, 'nextPollAt') >= now - LATE;
    must('no pay-in waits without a poll', isPolled || !has(payin, 'nextPollAt'), {
      id,
      at: text(payin, 'nextPollAt'),
    });
    const phases = payments.get(id)?.flatMap((payment) => payment.phases);
    const isPaid = phases?.some((phase) => isInFull(phase, text(payin, 'amount'))) === true;
    must('only what was paid in full is completed', text(payin, 'status') !== 'COMPLETED' || isPaid, { id, phases });
    const hasFailed = phases === undefined || phases.some(({ status }) => status === 'FAILED');
    // A mismatch that finance has settled with the client may also end in FAILED.
    const isSettled = has(payin, 'mismatchEnds');
    must(
      'what the rail has taken fails only at the rail',
      hasFailed || isSettled || !historyOf(payin).includes('FAILED'),
      { id },
    );
  }
}

/** @param all all payments with its reference, in the order of their creation */
function checkPayment(payment: TruePayment, all: readonly TruePayment[], { ledger, now, truth }: Aftermath): void {
  const { reference: id, payable, isSilent } = payment;
  must('no money is asked for twice', payable <= 1, { id, payable });
  // A payment under an unknown reference concerns only the book.
  if (payable === 0) return;
  const payin = ledger.payins.get(id);
  must('what can be paid is a pay-in that was ordered', has(payin, 'orderingSince'), { id });
  const end = payment.phases.at(-1);
  // Without notifications a payment is found within a day, by the list.
  const isListed = end !== undefined && !payment.isUnlisted && now - Math.max(end.at, truth.quietSince) >= LISTED;
  if (all.length === 1) checkTakenBack(payment, payin, now, isListed);
  if (end?.status !== 'COMPLETED' || end.at > now - LATE || isSilent) return;
  const isKnown = text(payin, 'status') === 'COMPLETED' || has(payin, 'settlementMismatch');
  // A look-up finds another payment than the first one only when that one has failed, or an hour later.
  const isFirst = all.every((one) => one === payment || hasFailed(one, end.at));
  const isNotified = isFirst && payment.notifiedAt.some((at) => at >= end.at);
  must('a payment that was notified or listed is in its pay-in', isKnown || !(isNotified || isListed), {
    id,
    status: text(payin, 'status'),
  });
  const isPolled = instant(payin, 'nextPollAt') >= now - LATE;
  must('what is paid is completed, or listed with its mismatch', isKnown || isPolled, {
    id,
    status: text(payin, 'status'),
  });
  const isWhole = isInFull(end, text(payin, 'amount'));
  const isCompleted = text(payin, 'status') === 'COMPLETED';
  must('what was paid in full in the end is completed', isCompleted || !isWhole || !(isNotified || isListed), {
    id,
    end,
  });
  const paid = payment.phases.filter(({ status }) => status === 'COMPLETED');
  const isMismatched = paid.some((phase) => !isInFull(phase, text(payin, 'amount')));
  must('a mismatch is kept where there was one', all.length > 1 || isMismatched || !has(payin, 'settlementMismatch'), {
    id,
    payment,
  });
}

/** A payment that the rail has lost takes nothing back, and calls somebody at the poll an hour after the completion. */
function checkLost(
  { reference: id, lostAt = 0, phases, isSilent }: TruePayment,
  { ledger, now, truth }: Aftermath,
): void {
  const payin = ledger.payins.get(id);
  must('what the rail has lost is not taken back', phases.length > 2 || !has(payin, 'reversedAt'), { id });
  const askedAt = instant(payin, 'completedAt') + HOUR;
  const isAsked = !isSilent && lostAt + STALE <= askedAt && Math.max(askedAt, truth.quietSince + HOUR) + LATE <= now;
  const isCalled = has(payin, 'unreadableSince') || text(payin, 'status') !== 'COMPLETED';
  must('what the rail has lost calls somebody', isCalled || !isAsked, { id, lostAt, askedAt });
}

/** A completed pay-in has `reversedAt` exactly while the rail has less than was ordered. */
function checkTakenBack(
  { reference: id, phases, notifiedAt, isSilent }: TruePayment,
  payin: Item | undefined,
  now: number,
  isListed: boolean,
): void {
  const end = phases.at(-1);
  if (end === undefined) return;
  const isNotified = end.at <= now - LATE && notifiedAt.some((at) => at >= end.at + STALE);
  if (!(isNotified || isListed) || isSilent || text(payin, 'status') !== 'COMPLETED') return;
  const ordered = text(payin, 'amount');
  const isLess = end.status !== 'COMPLETED' || end.currency !== 'COP' || new Big(end.amount).lt(ordered);
  must('what the rail has taken back is known', isLess === has(payin, 'reversedAt'), { id, end, ordered });
}

/** What a list has read of all payments of a completed pay-in is its money. */
function checkTotal(all: readonly TruePayment[], { ledger, now, truth }: Aftermath): void {
  const [{ reference: id, isSilent, isUnlisted } = {}] = all;
  const payin = ledger.payins.get(id ?? '');
  if (all.length < 2 || isSilent || isUnlisted || text(payin, 'status') !== 'COMPLETED') return;
  const ends = all.map(({ phases }) => phases.at(-1));
  const since = Math.max(truth.quietSince, ...ends.map((end) => end?.at ?? 0));
  if (now - since < LISTED) return;
  const there = ends.reduce((sum, end) => sum.plus(end?.status === 'COMPLETED' ? end.amount : 0), new Big(0));
  const known = payin?.['settlementMismatch']?.M ?? payin;
  const isNothing = has(payin, 'reversedAt') && !has(payin, 'settlementMismatch');
  const knows = isNothing ? '0' : text(known, 'amount');
  must('a completed pay-in has what all payments of its reference have', there.eq(knows), { id, there, knows });
}

function hasFailed({ phases }: TruePayment, by: number): boolean {
  const end = phases.findLast(({ at }) => at <= by);
  return end !== undefined && end.status !== 'COMPLETED' && end.status !== 'PENDING';
}

/** Exactly the ordered amount, in its currency. */
function isInFull({ status, amount, currency }: PaymentPhase, expected: string): boolean {
  return status === 'COMPLETED' && currency === 'COP' && new Big(amount).eq(expected);
}
