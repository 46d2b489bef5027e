import type { User } from '#shared/clients/user.ts';
import { hasExpired, isOpen, mayPayinBecome, type Payin, plainReason } from '#shared/pay-ins/pay-in.ts';
import { payinErrors } from '#shared/pay-ins/pay-in-errors.ts';
import type { PayinStore } from '#shared/pay-ins/pay-in-repository.ts';
import { paymentMethods } from '#shared/pay-ins/payment-methods.ts';
import {
  type FindPayment,
  type OrderPayment,
  type Payment,
  PaymentUnreadable,
  type Preparation,
  type RailMethods,
  RailRejected,
  RailUnavailable,
} from '#shared/pay-ins/rails/payment-rail.ts';
import type { SettlePayin } from '#shared/pay-ins/settle-pay-in.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { retryOnConflict } from '#shared/platform/dynamodb/transaction.ts';
import { ApiError, asApiError } from '#shared/platform/http/api-error.ts';
import { log } from '#shared/platform/logger.ts';
import { payerOf } from './check-order.ts';

export interface OrderDependencies {
  readonly payins: Pick<PayinStore, 'find' | 'beginOrdering' | 'changeStatus'>;
  /** `undefined` for a rail that prepares nothing. */
  readonly prepareOrder: (payin: Payin) => Promise<Preparation | undefined>;
  readonly orderPayment: OrderPayment;
  readonly methodsByRail: Readonly<Record<string, RailMethods>>;
  readonly findPayment: FindPayment;
  readonly settlePayin: SettlePayin;
  readonly clock: Clock;
}

/** Milliseconds: how long to wait for the rail's link, and the pause between two polls. */
const LINK_TIMEOUT = 4000;
const LINK_PAUSE = 400;

/** Seconds, at least. */
const RETRY_AFTER = 10;

/** A rail lists an accepted order only a moment later: an earlier order that is not found may still be accepted. */
const EARLIER_ORDER = 'The rail refuses a repeat of the order; it may have taken an earlier one.';

/**
 * Orders the payment of a stored pay-in at the rail, only once even if called again, and returns the resulting pay-in.
 * A pay-in that has its link, or has ended, is returned unchanged.
 *
 * @throws {ApiError} RAIL_REJECTED when the pay-in has failed. 5xx with its id when the outcome is unknown: the pay-in
 * stays open and is looked up later.
 */
export async function orderPayin(deps: OrderDependencies, payin: Payin, user: User): Promise<Payin> {
  const { payinId } = payin;
  let ordered: Payin;
  try {
    ordered = await orderAtRail(deps, payin, user);
  } catch (error) {
    throw unknownOutcome(payinId, error);
  }
  if (ordered.status === 'FAILED') throw new ApiError(payinErrors.RAIL_REJECTED, { about: { payinId } });
  return ordered;
}

async function orderAtRail(deps: OrderDependencies, payin: Payin, user: User): Promise<Payin> {
  const { payinId, orderingSince } = payin;
  if (!isOpen(payin.status) || payin.paymentUrl !== undefined) return payin;
  const known = orderingSince === undefined ? undefined : await deps.findPayment(payin);
  if (known !== undefined) return settle(deps, payin, known);
  if (hasExpired(payin, deps.clock.now())) return endUnordered(deps, payin, 'EXPIRED');
  const prepared = await deps.prepareOrder(payin);
  const ordering = await markOrdering(deps, payinId, prepared?.acceptedTerms);
  if (ordering === undefined) return (await deps.payins.find(payinId)) ?? payin;
  const { phone, ...payer } = payerOf(user);
  const order = { payin: ordering, payer: { ...payer, phone: ordering.phone ?? phone } };
  let payment: Payment;
  try {
    payment = await deps.orderPayment({ ...order, ...(prepared && { prepared }) });
  } catch (error) {
    if (!(error instanceof RailRejected)) throw error;
    if (orderingSince !== undefined) throw new RailUnavailable(EARLIER_ORDER, { cause: error });
    // The log leaves out the rail's words, which only the pay-in stores: they may quote the payer's data.
    log.info('PAYIN_REJECTED', { payinId });
    return endUnordered(deps, ordering, 'FAILED', error.message);
  }
  return settle(deps, ordering, payment);
}

/** Stores the payment that the rail has accepted, with its page if the method has one at this rail. */
async function settle(deps: OrderDependencies, asked: Payin, ordered: Payment): Promise<Payin> {
  const hasPage = deps.methodsByRail[asked.rail]?.[asked.paymentMethod].hasPage === true;
  const store = (payment: Payment) => deps.settlePayin(asked.payinId, { asked, payment });
  try {
    const payment = hasPage && ordered.status === 'PENDING' ? await withLink(deps, asked, ordered) : ordered;
    return (await store(payment)) ?? asked;
  } catch (error) {
    // Stores the rail's id of the payment, by which it is found even before the rail lists it.
    if (error instanceof RailUnavailable) await store(ordered);
    throw error;
  }
}

/** Records the order and its accepted terms before the rail is called; `undefined` if the pay-in is no longer open. */
function markOrdering(
  { payins, clock }: OrderDependencies,
  payinId: string,
  terms: Preparation['acceptedTerms'] | undefined,
): Promise<Payin | undefined> {
  return retryOnConflict(clock, async () => {
    const seen = await payins.find(payinId);
    if (seen === undefined || !isOpen(seen.status)) return undefined;
    return payins.beginOrdering(seen, clock.now().toISOString(), terms);
  });
}

/** Ends a pay-in that the rail has not accepted and will not accept. */
function endUnordered(
  { payins, clock }: OrderDependencies,
  payin: Payin,
  end: 'FAILED' | 'EXPIRED',
  reason?: string,
): Promise<Payin> {
  return retryOnConflict(clock, async () => {
    const seen = (await payins.find(payin.payinId)) ?? payin;
    if (!mayPayinBecome(seen.status, end)) return seen;
    return payins.changeStatus(seen, end, clock.now().toISOString(), { failureReason: plainReason(reason) });
  });
}

/**
 * Waits for the link of the payment, or its end. If the method does not need the link, the sweep stores one that comes
 * later.
 *
 * @throws {RailUnavailable} when the rail does not create in time a link that the method needs: `pseLink` of the
 * interface.
 */
async function withLink(deps: OrderDependencies, asked: Payin, ordered: Payment): Promise<Payment> {
  try {
    const { railPaymentId = asked.railPaymentId } = ordered;
    return await waitForLink(deps, { ...asked, ...(railPaymentId !== undefined && { railPaymentId }) }, ordered);
  } catch (error) {
    const isNeeded = paymentMethods[asked.paymentMethod].hasLink;
    if (isNeeded || !(error instanceof RailUnavailable)) throw error;
    return ordered;
  }
}

async function waitForLink(
  { findPayment, clock }: OrderDependencies,
  asked: Payin,
  ordered: Payment,
): Promise<Payment> {
  const until = clock.now().getTime() + LINK_TIMEOUT;
  let payment: Payment | undefined = ordered;
  let cause: unknown;
  while (isLinkToCome(payment) && clock.now().getTime() < until) {
    await clock.sleep(LINK_PAUSE);
    try {
      payment = await findPayment(asked);
    } catch (error) {
      if (!mayAnswerNext(error)) throw error;
      cause = error;
    }
  }
  if (payment === undefined || isLinkToCome(payment))
    throw new RailUnavailable(`No link for ${ordered.reference}.`, { cause });
  return payment;
}

/** True for a missing answer: the order is accepted, so the wait continues. A pause or an unreadable answer ends it. */
function mayAnswerNext(error: unknown): boolean {
  return error instanceof RailUnavailable && error.retryAfter === undefined && !(error instanceof PaymentUnreadable);
}

/** True if a link may still come; a payment that the rail does not find yet may be found later. */
function isLinkToCome(payment: Payment | undefined): boolean {
  return payment === undefined || (payment.status === 'PENDING' && payment.link === undefined);
}

/** The detail names the key, because a repeat without it would order a second payable payment. */
function unknownOutcome(payinId: string, error: unknown): ApiError {
  const detail = `It is not known yet whether pay-in ${payinId} can be paid. Read it, or repeat the request with the same Idempotency-Key.`;
  const isUnavailable = error instanceof RailUnavailable;
  const retryAfterSeconds = Math.max(RETRY_AFTER, (isUnavailable && error.retryAfter) || 0);
  const options = { detail, about: { payinId }, retryAfterSeconds, cause: error };
  return new ApiError(isUnavailable ? payinErrors.RAIL_UNAVAILABLE : asApiError(error).kind, options);
}
