import { addAmounts, compareAmounts, remainingAmount } from '#shared/platform/amount.ts';
import type { Entry, FoundDifference } from '#shared/platform/books/book.ts';
import { isMismatched, moneyOf, type Payin } from './pay-in.ts';
import { compareMoney } from './pay-in-outcome.ts';
import type { Payment } from './rails/payment-rail.ts';

/** The account of the books to which a completed payment of a rail belongs. */
type PaymentTerm = 'completed' | 'refunded' | 'kept' | 'unexplained';

/** Returns how finance ended a wrong amount, `completed` for the ordered amount, and `undefined` for anything else. */
function termOf(payin: Payin): PaymentTerm | undefined {
  if (isMismatched(payin)) {
    const end = payin.mismatchedAt === undefined ? payin.mismatchEnds?.at(-1) : undefined;
    return end?.outcome;
  }
  return payin.status === 'COMPLETED' ? 'completed' : undefined;
}

/** Returns the pay-in with only the money of this payment, if it has payments beside the one that completed it. */
function partOf(payin: Payin, { railPaymentId = '' }: Payment): Payin {
  const { otherPayments = {}, settlementMismatch: all } = payin;
  const others = Object.values(otherPayments);
  if (all === undefined || others.length === 0) return payin;
  const other = otherPayments[railPaymentId];
  // This payment is not the one that completed the pay-in: nothing of it belongs to the order.
  if (other !== undefined)
    return { ...payin, railPaymentId, status: 'FAILED', settlementMismatch: { ...all, amount: other } };
  const amount = remainingAmount(all.amount, others.reduce(addAmounts)) ?? '0';
  const isWhole = compareMoney({ ...all, amount }, payin) === 0;
  return {
    ...payin,
    ...(isWhole && { mismatchedAt: undefined }),
    settlementMismatch: isWhole ? undefined : { ...all, amount },
  };
}

/** Books a payment that the rail lists, and compares it with the pay-in of its reference (decisions.md 9, Books). */
export function bookPayment(payment: Payment, found: Payin | 'UNREADABLE' | undefined) {
  const payin = found === undefined || found === 'UNREADABLE' ? undefined : partOf(found, payment);
  const { reference: id, status, amount, currency: asset } = payment;
  const fault = found === 'UNREADABLE' ? unreadableFault(payment) : faultOf(payment, payin);
  const differences: readonly FoundDifference[] = fault === undefined ? [] : [{ id, ...fault }];
  if (status !== 'COMPLETED') return { entries: [], differences };
  const term: PaymentTerm = (fault === undefined && payin && termOf(payin)) || 'unexplained';
  const came: Entry = { asset, term: 'in', amount };
  return { entries: [came, ...placesOf(payment, payin, term)], differences };
}

/** Splits the payment of a completed, overpaid pay-in: the ordered amount, and the excess, which finance has ended. */
function placesOf({ amount, currency: asset }: Payment, payin: Payin | undefined, term: PaymentTerm): readonly Entry[] {
  const isEnd = term === 'refunded' || term === 'kept';
  const isPaid = payin?.status === 'COMPLETED' && payin.currency === asset;
  const more = isEnd && isPaid ? remainingAmount(amount, payin.amount) : undefined;
  if (more === undefined || payin === undefined) return [{ asset, term, amount }];
  return [
    { asset, term: 'completed', amount: payin.amount },
    { asset, term, amount: more },
  ];
}

function unreadableFault({ status, amount, currency }: Payment): Omit<FoundDifference, 'id'> | undefined {
  if (status !== 'COMPLETED') return undefined;
  return { kind: 'PAYIN_UNREADABLE', what: `The rail has ${amount} ${currency}, and the pay-in cannot be read.` };
}

function faultOf(
  { status, amount, currency, railPaymentId }: Payment,
  payin: Payin | undefined,
): Omit<FoundDifference, 'id'> | undefined {
  const paid = `${amount} ${currency}`;
  const isOther =
    railPaymentId !== undefined && payin?.railPaymentId !== undefined && railPaymentId !== payin.railPaymentId;
  if (status !== 'COMPLETED') {
    const isPaid = payin?.status === 'COMPLETED' && payin.reversedAt === undefined;
    // Another payment with this reference has failed; only the one that completed the pay-in counts.
    if (!isPaid || isOther) return undefined;
    return { kind: 'PAYIN_NOT_PAID', what: `It is COMPLETED, and the rail says ${status}.` };
  }
  if (payin === undefined) return { kind: 'PAYIN_MISSING', what: `The rail has ${paid}, and there is no such pay-in.` };
  if (isOther && payin.status === 'COMPLETED') {
    const what = `The rail has ${paid} by ${railPaymentId}, and the pay-in was completed by ${payin.railPaymentId}.`;
    return { kind: 'PAYIN_PAID_TWICE', what };
  }
  const known = moneyOf(payin);
  if (isMismatched(payin)) {
    if (termOf(payin) === undefined) return { kind: 'MISMATCH_OPEN', what: `The rail has ${paid}: end-payin ends it.` };
  } else if (payin.status !== 'COMPLETED') {
    return { kind: 'PAYIN_NOT_COMPLETED', what: `The rail has ${paid}, and the pay-in is ${payin.status}.` };
  }
  if (known.currency === currency && compareAmounts(known.amount, amount) === 0) return undefined;
  return { kind: 'PAYIN_DIFFERS', what: `The rail has ${paid}, and the pay-in ${known.amount} ${known.currency}.` };
}
