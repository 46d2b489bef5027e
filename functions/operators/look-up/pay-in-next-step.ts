import type { NextStep } from '#shared/operators/next-step.ts';
import { isOpen } from '#shared/pay-ins/pay-in.ts';
import type { PolledPayin } from '#shared/pay-ins/polled-pay-in.ts';

/** What happens next with a pay-in, and who does it. */
export function payinNextStep(payin: PolledPayin): NextStep {
  const { status, amount, currency, paymentMethod, settlementMismatch: paid, orderingSince, expirationDate } = payin;
  const at = payin.nextPollAt === undefined ? {} : { at: payin.nextPollAt };
  if (status === 'COMPLETED') return { who: 'NOBODY', what: 'It was paid.' };
  if (paid !== undefined && payin.mismatchEndedAt !== undefined) {
    const what = `${paid.amount} ${paid.currency} was paid, which is settled with the client. What was ordered still completes it.`;
    return { who: 'NOBODY', what, ...at };
  }
  if (paid !== undefined) {
    const what = `${paid.amount} ${paid.currency} was paid in place of ${amount} ${currency}: agrees with the client what happens to it, then ends it (end-payin).`;
    return { who: 'FINANCE', what, ...at };
  }
  if (!isOpen(status)) return { who: 'NOBODY', what: 'It was not paid. Money that still arrives completes it.', ...at };
  if (orderingSince === undefined) {
    return {
      who: 'CLIENT',
      what: 'Repeats the creation with its Idempotency-Key: the rail was never asked to collect.',
      ...at,
    };
  }
  if (payin.nextPollAt === undefined)
    return { who: 'FINANCE', what: 'Asks the rail: it is open, and not asked for any more.' };
  const until = expirationDate === undefined ? '' : ` until ${expirationDate}`;
  return {
    who: 'USER',
    what: `Pays ${amount} ${currency} by ${paymentMethod}${until}. The rail is asked again.`,
    ...at,
  };
}
