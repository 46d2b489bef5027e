import { Big } from 'big.js';
import { has, historyOf, instant, text } from '../items.ts';
import type { TruePayment } from '../truth.ts';
import { must } from '../violation.ts';
import { type Aftermath, LATE } from './aftermath.ts';

/** What the rail has is in the pay-ins, and nothing else is. */
export function checkPayinEnds(aftermath: Aftermath): void {
  const { ledger, truth, now } = aftermath;
  const payments = new Map(truth.payments.map((payment) => [payment.reference, payment]));
  for (const payment of truth.payments) checkPayment(payment, aftermath);
  for (const [id, payin] of ledger.payins) {
    const isPolled = instant(payin, 'nextPollAt') >= now - LATE;
    must('no pay-in waits without a poll', isPolled || !has(payin, 'nextPollAt'), {
      id,
      at: text(payin, 'nextPollAt'),
    });
    const payment = payments.get(id);
    const isPaid = payment !== undefined && isCompleted(payment) && isInFull(payment, text(payin, 'amount'));
    must('only what was paid in full is completed', text(payin, 'status') !== 'COMPLETED' || isPaid, { id, payment });
    const hasFailed = payment === undefined || payment.phases.some(({ status }) => status === 'FAILED');
    must('what the rail has taken fails only at the rail', hasFailed || !historyOf(payin).includes('FAILED'), { id });
  }
}

function checkPayment(payment: TruePayment, { ledger, now }: Aftermath): void {
  const { reference: id, payable, isSilent } = payment;
  must('no money is asked for twice', payable <= 1, { id, payable });
  const payin = ledger.payins.get(id);
  must('what can be paid is a pay-in that was ordered', has(payin, 'orderingSince'), { id });
  const end = payment.phases.at(-1);
  if (end?.status !== 'COMPLETED' || end.at > now - LATE || isSilent) return;
  const isKnown = text(payin, 'status') === 'COMPLETED' || has(payin, 'settlementMismatch');
  const isNotified = payment.notifiedAt.some((at) => at >= end.at);
  must('a payment that was notified is in its pay-in', isKnown || !isNotified, { id, status: text(payin, 'status') });
  const isPolled = instant(payin, 'nextPollAt') >= now - LATE;
  must('what is paid is completed, or listed with its mismatch', isKnown || isPolled, {
    id,
    status: text(payin, 'status'),
  });
  const isMismatched = !isInFull(payment, text(payin, 'amount'));
  must('a mismatch is listed where there is one', isMismatched || !has(payin, 'settlementMismatch'), { id, payment });
}

function isCompleted({ phases }: TruePayment): boolean {
  return phases.some(({ status }) => status === 'COMPLETED');
}

function isInFull({ amount, currency }: TruePayment, expected: string): boolean {
  return currency === 'COP' && new Big(amount).eq(expected);
}
