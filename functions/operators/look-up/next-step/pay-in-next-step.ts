import type { NextStep } from '#shared/operators/next-step.ts';
import { isMismatched, isOpen, moneyOf } from '#shared/pay-ins/pay-in.ts';
import { compareMoney } from '#shared/pay-ins/pay-in-outcome.ts';
import type { PolledPayin } from '#shared/pay-ins/pay-in-repository.ts';

/** What a person does about a pay-in in `unreadable`, whatever else is known of it. */
export const UNREADABLE_STEP = {
  who: 'FINANCE',
  what: 'Asks the rail what it says of it: its answers cannot be read, so that nothing is known of the payment.',
} as const satisfies NextStep;

/** What happens next with a pay-in, and who does it. */
export function payinNextStep(payin: PolledPayin): NextStep {
  const { status, orderingSince } = payin;
  const at = payin.nextPollAt === undefined ? {} : { at: payin.nextPollAt };
  if (isMismatched(payin)) return { ...ofMismatch(payin), ...at };
  if (payin.unreadableSince !== undefined) return { ...UNREADABLE_STEP, ...at };
  if (status === 'COMPLETED') return { who: 'NOBODY', what: `It was paid.${endedSoFar(payin)}`, ...at };
  if (!isOpen(status)) {
    const what = `It was not paid. Money that still arrives completes it.${endedSoFar(payin)}`;
    return { who: 'NOBODY', what, ...at };
  }
  if (orderingSince === undefined) {
    const what = 'Repeats the creation with its Idempotency-Key: the rail was never asked to collect.';
    return { who: 'CLIENT', what, ...at };
  }
  if (payin.nextPollAt === undefined)
    return { who: 'FINANCE', what: 'Asks the rail: it is open, and not asked for any more.' };
  const { amount, currency, paymentMethod, expirationDate } = payin;
  const until = expirationDate === undefined ? '' : ` until ${expirationDate}`;
  return {
    who: 'USER',
    what: `Pays ${amount} ${currency} by ${paymentMethod}${until}. The rail is asked again.`,
    ...at,
  };
}

function ofMismatch(payin: PolledPayin): NextStep {
  const last = payin.mismatchEnds?.at(-1);
  if (payin.mismatchedAt === undefined && last !== undefined) {
    const became = last.outcome === 'refunded' ? `refunded by ${last.reference}` : 'kept';
    const later = payin.status === 'COMPLETED' ? '' : ' What was ordered still completes it.';
    return { who: 'NOBODY', what: `${happened(payin)} It is ended: ${became}.${later}` };
  }
  return {
    who: 'FINANCE',
    what: `${happened(payin)}${endedSoFar(payin)} Agrees with the client what happens to it, then says what became of it (end-payin).`,
  };
}

/** What is at the rail in place of what was ordered, in words. */
function happened(payin: PolledPayin): string {
  const { amount, currency, status, reversedAt } = payin;
  const there = moneyOf(payin);
  const [has, ordered] = [`${there.amount} ${there.currency}`, `${amount} ${currency}`];
  if (status !== 'COMPLETED') return `${has} was paid in place of ${ordered}.`;
  if (reversedAt === undefined) return `It was paid, and ${has} is at the rail in place of ${ordered}: too much.`;
  if (compareMoney(there, { amount: '0', currency }) === 0) {
    return `It was paid, and the rail took all ${ordered} back.`;
  }
  return `It was paid, and the rail took some of it back: ${has} is there of ${ordered}.`;
}

/** Earlier ends: what is refunded already is not refunded again. */
function endedSoFar({ mismatchEnds = [] }: PolledPayin): string {
  const ends = mismatchEnds.map(({ amount, currency, outcome, reference, at }) =>
    [`${amount} ${currency}`, outcome, reference, `on ${at.slice(0, 10)}`].filter(Boolean).join(' '),
  );
  return ends.length === 0 ? '' : ` Ended before: ${ends.join('; ')}.`;
}
