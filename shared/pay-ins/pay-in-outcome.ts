import { canonicalAmount } from '#shared/platform/amount.ts';
import { hasExpired, isOpen, type Payin } from './pay-in.ts';
import type { Payment } from './rails/payment-rail.ts';

/** Milliseconds. */
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Longer than a request to the rail can be under way. */
const NEVER_ORDERED_AFTER = 15 * MINUTE;

/** The rail may know a payment late; one that it does not know by then was never accepted. */
const NEVER_TAKEN_AFTER = DAY;

/** What the rail's payment means for the pay-in; `OTHER_AMOUNT`: something was paid, but not what was ordered. */
type PayinOutcome = Payment['status'] | 'OTHER_AMOUNT';

/**
 * The outcome of a pay-in, from the payment that the rail gave before the pay-in was read; the payment is `undefined`
 * when the rail knows none (decisions.md 5, Later statuses). The pay-in has failed only when the rail says so or was
 * never asked to collect: a payment that was sent may be payable.
 */
export function payinOutcome(payin: Payin, payment: Payment | undefined, now: Date): PayinOutcome {
  if (payment === undefined) return isOpen(payin.status) ? outcomeOfUnknown(payin, now) : 'PENDING';
  if (payment.status !== 'COMPLETED') return payment.status;
  const isInFull = canonicalAmount(payment.amount) === payin.amount && payment.currency === payin.currency;
  return isInFull ? 'COMPLETED' : 'OTHER_AMOUNT';
}

function outcomeOfUnknown(payin: Payin, now: Date): PayinOutcome {
  const since = (instant: string) => now.getTime() - Date.parse(instant);
  const { createdAt, orderingSince } = payin;
  if (orderingSince === undefined) return since(createdAt) > NEVER_ORDERED_AFTER ? 'FAILED' : 'PENDING';
  return hasExpired(payin, now) || since(orderingSince) > NEVER_TAKEN_AFTER ? 'EXPIRED' : 'PENDING';
}
