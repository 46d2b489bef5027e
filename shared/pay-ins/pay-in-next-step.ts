import type * as z from 'zod/mini';
import { nextStepBy } from '#shared/platform/operators/next-step.ts';
import { describeProposals, type Proposal } from '#shared/platform/operators/proposals.ts';
import { isMismatched, isOpen, moneyOf } from './pay-in.ts';
import { compareMoney } from './pay-in-outcome.ts';
import { nextPollAt } from './pay-in-poll-schedule.ts';
import type { PolledPayin } from './pay-in-repository.ts';

/** What happens next, and who does it. SERVICE acts by itself; FINANCE are people of the service's operator. */
export const nextStep = nextStepBy(['CLIENT', 'USER', 'FINANCE', 'SERVICE', 'NOBODY']);

export type NextStep = Readonly<z.infer<typeof nextStep>>;

/** The next step of a pay-in in the list `unreadable`, whatever its state. */
export const UNREADABLE_STEP = {
  who: 'FINANCE',
  what: 'Asks the rail about the payment: its answers cannot be read or have it no more, so its state is unknown.',
} as const satisfies NextStep;

/** What happens next with a pay-in, and who does it; `proposals` wait for a second person. */
export function payinNextStep(payin: PolledPayin, proposals: readonly Proposal[], now: Date): NextStep {
  const { status, orderingSince } = payin;
  const at = payin.nextPollAt === undefined ? {} : { at: payin.nextPollAt };
  if (isMismatched(payin)) return { ...ofMismatch(payin, proposals), ...at };
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
  if (nextPollAt(payin, now) === undefined)
    return {
      who: 'FINANCE',
      what: 'Asks the rail: it calls the pay-in open 30 days after its last day. If it will not be paid: expire-payin.',
      ...at,
    };
  const { amount, currency, paymentMethod, expirationDate } = payin;
  const until = expirationDate === undefined ? '' : ` until ${expirationDate}`;
  return {
    who: 'USER',
    what: `Pays ${amount} ${currency} by ${paymentMethod}${until}. The rail is polled again.`,
    ...at,
  };
}

function ofMismatch(payin: PolledPayin, proposals: readonly Proposal[]): NextStep {
  const last = payin.mismatchEnds?.at(-1);
  if (payin.mismatchedAt === undefined && last !== undefined) {
    const became = last.outcome === 'refunded' ? `refunded by ${last.reference}` : 'kept';
    const later =
      payin.status === 'COMPLETED' ? '' : ' It is completed once the rail has the ordered amount in place of this one.';
    return { who: 'NOBODY', what: `${happened(payin)} It is ended: ${became}.${later}` };
  }
  const { payinId, sequence } = payin;
  const toDo =
    describeProposals(proposals, payinId, { sequence }) ??
    'Agrees with the client what happens to the money, then records it (end-payin).';
  return { who: 'FINANCE', what: `${happened(payin)}${endedSoFar(payin)} ${toDo}` };
}

/** Describes the amount at the rail in place of the ordered one. */
function happened(payin: PolledPayin): string {
  const { amount, currency, status, reversedAt, otherPayments = {} } = payin;
  const there = moneyOf(payin);
  const [has, ordered] = [`${there.amount} ${there.currency}`, `${amount} ${currency}`];
  if (status !== 'COMPLETED') return `${has} was paid instead of ${ordered}.`;
  if (reversedAt === undefined) {
    const others = Object.keys(otherPayments);
    const by = others.length === 0 ? '' : ` Beside the payment that completed it there is ${others.join(', ')}.`;
    return `It was paid, but the rail has ${has} instead of ${ordered}: too much.${by}`;
  }
  if (compareMoney(there, { amount: '0', currency }) === 0) {
    return `It was paid, and the rail took all ${ordered} back.`;
  }
  return `It was paid, and the rail took some of it back: it has ${has} of ${ordered}.`;
}

/** Earlier ends, so that nothing is refunded twice. */
function endedSoFar({ mismatchEnds = [] }: PolledPayin): string {
  const ends = mismatchEnds.map(({ amount, currency, outcome, reference, at }) =>
    [`${amount} ${currency}`, outcome, reference, `on ${at.slice(0, 10)}`].filter(Boolean).join(' '),
  );
  return ends.length === 0 ? '' : ` Ended before: ${ends.join('; ')}.`;
}
