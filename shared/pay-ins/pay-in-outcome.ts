import { addAmounts, compareAmounts, plainDecimal } from '#shared/platform/amount.ts';
import { hasExpired, isOpen, type Money, mayPayinBecome, moneyOf, type Payin } from './pay-in.ts';
import type { Payment } from './rails/payment-rail.ts';

/** Milliseconds. */
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Milliseconds after the creation; longer than a request to the rail can run. */
const NEVER_ORDERED_AFTER = 15 * MINUTE;

/** The rail may show a payment late; a payment that it does not know after this time was never accepted. */
const NEVER_TAKEN_AFTER = DAY;

/** The result of the rail's payment for the pay-in; `OTHER_AMOUNT`: something was paid, but not the ordered amount. */
type PayinOutcome = Payment['status'] | 'OTHER_AMOUNT';

/**
 * Returns the outcome of a pay-in that is not completed. The payment is the rail's answer, `undefined` if the rail
 * knows none (decisions.md 5, Later statuses). The pay-in has failed only if the rail says so or was never asked to
 * collect: an order that was sent may be payable.
 */
export function payinOutcome(payin: Payin, payment: Payment | undefined, now: Date): PayinOutcome {
  if (payment === undefined) return isOpen(payin.status) ? outcomeOfUnknown(payin, now) : 'PENDING';
  if (payment.status !== 'COMPLETED') return payment.status;
  return compareMoney(payment, payin) === 0 ? 'COMPLETED' : 'OTHER_AMOUNT';
}

/** The fields of a completed pay-in that change with its money at the rail. */
export type MoneyOutcome = Pick<
  Payin,
  'settlementMismatch' | 'reversedAt' | 'wholeSince' | 'moneyAt' | 'mismatchedAt'
> &
  Pick<Payin, 'railPaymentId' | 'otherPayments'>;

/**
 * Returns the change of a completed pay-in's money; `undefined` if there is none. A payment that is unknown to the
 * rail, or still pending, decides nothing. Money in another currency counts as none of the ordered amount.
 */
export function moneyOutcome(payin: Payin, payment: Payment | undefined, at: string): MoneyOutcome | undefined {
  if (payment === undefined || payment.status === 'PENDING') return undefined;
  const there = withOthers(payin, payment);
  const isNothing = there.amount === '0';
  const money = isNothing ? { amount: '0', currency: payin.currency } : there;
  const replaced = replacedBy(payin, payment);
  if (replaced === undefined && compareMoney(moneyOf(payin), money) === 0) return undefined;
  const difference = compareMoney(money, payin);
  const isWhole = difference === 0;
  const isReversed = difference === undefined || difference < 0;
  return {
    settlementMismatch: isWhole || isNothing ? undefined : { ...money, at },
    reversedAt: isReversed ? (payin.reversedAt ?? at) : undefined,
    wholeSince: isWhole ? at : undefined,
    moneyAt: at,
    mismatchedAt: isWhole ? undefined : (payin.mismatchedAt ?? at),
    ...replaced,
  };
}

/** When the rail has another completed payment in place of the pay-in's own, that one is looked up from now on. */
function replacedBy(payin: Payin, { status, railPaymentId }: Payment) {
  if (status !== 'COMPLETED' || !isOtherPayment(payin, railPaymentId)) return undefined;
  const { [railPaymentId]: _, ...otherPayments } = payin.otherPayments ?? {};
  return { railPaymentId, otherPayments };
}

/** Returns the rail's total for a completed pay-in: this payment and the other known payments. */
function withOthers({ otherPayments = {}, currency }: Payin, { railPaymentId, ...payment }: Payment): Money {
  const own = payment.status === 'COMPLETED' ? plainMoney(payment) : { amount: '0', currency };
  if (own.currency !== currency) return own;
  const others = Object.entries(otherPayments).flatMap(([id, amount]) => (id === railPaymentId ? [] : amount));
  return { amount: others.reduce(addAmounts, own.amount), currency };
}

/** True if this is another payment than the one that completed the pay-in. */
export function isOtherPayment({ status, railPaymentId: known }: Payin, listed: string | undefined): listed is string {
  return status === 'COMPLETED' && known !== undefined && listed !== undefined && listed !== known;
}

/** True if the payment has news for the pay-in: an end, or another amount. */
export function hasNewOutcome(payin: Payin, payment: Payment, now: Date): boolean {
  if (payin.status === 'COMPLETED') return moneyOutcome(payin, payment, now.toISOString()) !== undefined;
  const { settlementMismatch } = payin;
  const outcome = payinOutcome(payin, payment, now);
  if (outcome === 'PENDING') return false;
  if (outcome === 'OTHER_AMOUNT') {
    return settlementMismatch === undefined || compareMoney(settlementMismatch, payment) !== 0;
  }
  return settlementMismatch !== undefined || mayPayinBecome(payin.status, outcome);
}

export function plainMoney({ amount, currency }: Money): Money {
  return { amount: plainDecimal(amount), currency };
}

/** Negative, zero or positive, as exact decimals; `undefined` for two currencies, which cannot be compared. */
export function compareMoney(one: Money, other: Money): number | undefined {
  return one.currency === other.currency ? compareAmounts(one.amount, other.amount) : undefined;
}

function outcomeOfUnknown(payin: Payin, now: Date): PayinOutcome {
  const since = (instant: string) => now.getTime() - Date.parse(instant);
  const { createdAt, orderingSince } = payin;
  if (orderingSince === undefined) return since(createdAt) > NEVER_ORDERED_AFTER ? 'FAILED' : 'PENDING';
  return hasExpired(payin, now) || since(orderingSince) > NEVER_TAKEN_AFTER ? 'EXPIRED' : 'PENDING';
}
