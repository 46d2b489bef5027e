import type { Clock } from '#shared/platform/clock.ts';
import { retryOnConflict } from '#shared/platform/dynamodb/transaction.ts';
import { log } from '#shared/platform/logger.ts';
import { isOpen, mayPayinBecome, type Payin, type PayinStatus, plainReason } from './pay-in.ts';
import { compareMoney, hasNewOutcome, moneyOutcome, payinOutcome, plainMoney } from './pay-in-outcome.ts';
import type { PayinStore } from './pay-in-repository.ts';
import type { FindPayment, Payment } from './rails/payment-rail.ts';

type Settled = Pick<
  PayinStore,
  'find' | 'changeStatus' | 'keepPayment' | 'recordMismatch' | 'clearMismatch' | 'recordMoney'
>;

/** The rail's answer about a payment, and the pay-in as read before the call. */
interface Answer {
  readonly asked: Payin | undefined;
  /** `undefined` when the rail knows none. */
  readonly payment: Payment | undefined;
}

/**
 * Applies the rail's answer to a pay-in: the link, the end, or a change of the money. The answer counts only for the
 * pay-in as read before the call: if the pay-in was written since, the rail is asked once more. So an answer from
 * before the completion takes nothing back, and notifications may come twice and in any order. Most answers have no
 * news: nothing is written, and the pay-in is returned as read before the call. `undefined` if there is no such pay-in.
 */
export function createSettlePayin(payins: Settled, findPayment: FindPayment, clock: Clock) {
  return async (payinId: string, first: Answer): Promise<Payin | undefined> => {
    let answer = first;
    let now = clock.now();
    if (first.asked !== undefined && saysNothing(first.asked, first.payment, now)) return first.asked;
    return await retryOnConflict(clock, async () => {
      const seen = await payins.find(payinId);
      if (seen !== undefined && answer.asked?.sequence !== seen.sequence) {
        answer = { asked: seen, payment: await findPayment(seen) };
        now = clock.now();
      }
      if (seen !== undefined) return applyAnswer(payins, seen, answer.payment, now);
      if (answer.payment?.status === 'COMPLETED') log.error('PAYIN_UNKNOWN', { payinId });
      return undefined;
    });
  };
}

export type SettlePayin = ReturnType<typeof createSettlePayin>;

function applyAnswer(payins: Settled, seen: Payin, payment: Payment | undefined, now: Date): Promise<Payin> | Payin {
  const at = now.toISOString();
  if (seen.status === 'COMPLETED') return applyToCompleted(payins, seen, payment, at);
  const outcome = payinOutcome(seen, payment, now);
  if (outcome === 'OTHER_AMOUNT') return payment === undefined ? seen : recordMismatch(payins, seen, payment, at);
  if (outcome === 'PENDING') return keepPayment(payins, seen, payment);
  return applyEnd(payins, seen, outcome, payment, at);
}

/** Ends a pay-in. Of two ends without money the first counts. An end without money at the rail clears the mismatch. */
function applyEnd(
  payins: Settled,
  seen: Payin,
  end: PayinStatus,
  payment: Payment | undefined,
  at: string,
): Promise<Payin> | Payin {
  const isByRail = payment !== undefined;
  if (!mayPayinBecome(seen.status, end)) {
    if (!isByRail || seen.settlementMismatch === undefined) return seen;
    if (hasEnds(seen)) log.error('ENDED_MISMATCH_TAKEN_BACK', { payinId: seen.payinId });
    return payins.clearMismatch(seen, at);
  }
  const wasRefunded = seen.mismatchEnds?.some(({ outcome }) => outcome === 'refunded') === true;
  if (end === 'COMPLETED' && wasRefunded) log.error('REFUNDED_PAYIN_COMPLETED', { payinId: seen.payinId });
  const facts = payment && { ...factsToKeep(seen, payment), ...factsOf(payment) };
  return payins.changeStatus(seen, end, at, { endsMismatch: isByRail, ...facts });
}

/** True if finance has refunded or kept a wrong amount: money that the rail gives back now, too, is given twice. */
function hasEnds({ mismatchEnds = [] }: Payin): boolean {
  return mismatchEnds.length > 0;
}

/**
 * Records a change of the money at the rail, and alerts finance operations. The client gets an event if money was taken
 * back, or what was taken back has changed.
 */
async function applyToCompleted(
  payins: Settled,
  seen: Payin,
  payment: Payment | undefined,
  at: string,
): Promise<Payin> {
  const outcome = moneyOutcome(seen, payment, at);
  if (outcome === undefined) return seen;
  const { payinId } = seen;
  // Logged before the write: see recordMismatch.
  if (outcome.reversedAt !== undefined) log.error('COMPLETED_PAYIN_REVERSED', { payinId });
  else if (seen.reversedAt !== undefined) log.error('REVERSED_PAYIN_PAID_AGAIN', { payinId });
  else if (outcome.wholeSince !== undefined && seen.settlementMismatch !== undefined && hasEnds(seen))
    log.error('ENDED_MISMATCH_TAKEN_BACK', { payinId });
  if (outcome.reversedAt === undefined && outcome.settlementMismatch !== undefined) {
    log.error('PAYIN_SETTLEMENT_MISMATCH', { payinId });
  }
  return await payins.recordMoney(seen, outcome, at);
}

/** True if the answer has no news. Without a payment, the pay-in may have to end. */
function saysNothing(asked: Payin, payment: Payment | undefined, now: Date): boolean {
  if (payment === undefined || hasNewOutcome(asked, payment, now)) return false;
  return payment.status !== 'PENDING' || Object.keys(factsToKeep(asked, payment)).length === 0;
}

/** New facts of an open pay-in: the rail's id, and the link, which may exist only after the creation has answered. */
function factsToKeep(seen: Payin, { railPaymentId, link: paymentUrl }: Payment) {
  if (!isOpen(seen.status)) return {};
  return {
    ...(railPaymentId !== undefined && seen.railPaymentId === undefined && { railPaymentId }),
    ...(paymentUrl !== undefined && seen.paymentUrl === undefined && { paymentUrl }),
  };
}

async function keepPayment(payins: Settled, seen: Payin, payment: Payment | undefined): Promise<Payin> {
  const kept = payment === undefined ? {} : factsToKeep(seen, payment);
  if (Object.keys(kept).length === 0) return seen;
  await payins.keepPayment(seen.payinId, kept);
  return { ...seen, ...kept };
}

/** The rail's facts about a payment apart from its money. Only a FAILED pay-in has a reason. */
function factsOf({ status, railPaymentId, paidAt, failureReason }: Payment) {
  return {
    ...(railPaymentId !== undefined && { railPaymentId }),
    ...(status === 'COMPLETED' && paidAt !== undefined && { paidAt }),
    failureReason: status === 'FAILED' ? plainReason(failureReason) : undefined,
  };
}

/**
 * Records another amount in place of the known one; finance operations end the mismatch. The log line comes before the
 * write: if the write's answer were lost, or the function stopped, it would never be logged. Two concurrent callers
 * both log it.
 */
async function recordMismatch(payins: Settled, seen: Payin, payment: Payment, at: string): Promise<Payin> {
  const { payinId, settlementMismatch } = seen;
  if (settlementMismatch !== undefined && compareMoney(settlementMismatch, payment) === 0) return seen;
  log.error('PAYIN_SETTLEMENT_MISMATCH', { payinId });
  return await payins.recordMismatch(seen, plainMoney(payment), at);
}
