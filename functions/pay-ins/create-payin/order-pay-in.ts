import type { User } from '#shared/clients/user.ts';
import { hasExpired, isOpen, type Payin } from '#shared/pay-ins/pay-in.ts';
import type { PayinStore } from '#shared/pay-ins/pay-in-store.ts';
import {
  type FindPayment,
  type OrderPayment,
  type Payment,
  RailRejected,
  RailUnavailable,
} from '#shared/pay-ins/rails/payment-rail.ts';
import { railSpecs } from '#shared/pay-ins/rails/rail-specs.ts';
import type { SettlePayin } from '#shared/pay-ins/settle-pay-in.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { retryOnConflict } from '#shared/platform/dynamodb/retry-on-conflict.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { asApiError } from '#shared/platform/http/as-api-error.ts';
import { describe, log } from '#shared/platform/logger.ts';

export interface OrderDependencies {
  readonly payins: Pick<PayinStore, 'find' | 'beginOrdering'>;
  readonly orderPayment: OrderPayment;
  readonly findPayment: FindPayment;
  readonly settlePayin: SettlePayin;
  readonly clock: Clock;
}

/** Milliseconds for which the rail is asked for the link that it has not made yet, and between two questions. */
const LINK_TIMEOUT = 4000;
const LINK_PAUSE = 400;

/**
 * Orders the payment of a stored pay-in at the rail, once, however often it is called. Returns the pay-in as it is
 * afterwards. One that has its link, or has ended, is returned unchanged.
 *
 * @throws {ApiError} RAIL_REJECTED when it has failed. 5xx with the pay-in's id when the result is not known: it stays
 * open and is looked up.
 */
export async function orderPayin(deps: OrderDependencies, payin: Payin, user: User): Promise<Payin> {
  const { payinId } = payin;
  let ordered: Payin;
  try {
    ordered = await collected(deps, payin, user);
  } catch (error) {
    throw unknownOutcome(payinId, error);
  }
  if (ordered.status === 'FAILED') throw new ApiError('RAIL_REJECTED', { payinId });
  return ordered;
}

async function collected(deps: OrderDependencies, payin: Payin, user: User): Promise<Payin> {
  const { payinId, orderingSince, paymentMethod } = payin;
  if (!isOpen(payin.status) || payin.pseLink !== undefined) return payin;
  const known = orderingSince === undefined ? undefined : await deps.findPayment(payinId);
  const payment = known ?? (await paymentOf(deps, payin, user));
  const isToHaveLink = railSpecs[paymentMethod].hasLink && payment?.status === 'PENDING';
  return (await deps.settlePayin(payinId, isToHaveLink ? await withLink(deps, payment) : payment)) ?? payin;
}

/** Orders the payment. `undefined` when the pay-in is no longer open: then nothing is ordered. */
async function paymentOf(deps: OrderDependencies, payin: Payin, user: User): Promise<Payment | undefined> {
  const { payinId, amount, currency } = payin;
  const notTaken = { reference: payinId, amount, currency };
  if (hasExpired(payin, deps.clock.now())) return { ...notTaken, status: 'EXPIRED' };
  if (!(await begun(deps, payinId))) return undefined;
  try {
    return await deps.orderPayment({ payin, payer: user.payer ?? {} });
  } catch (error) {
    if (!(error instanceof RailRejected)) throw error;
    log.info('PAYIN_REJECTED', { payinId, cause: describe(error) });
    return { ...notTaken, status: 'FAILED' };
  }
}

/** Keeps that the rail is asked to collect now, before it is: false when the pay-in is no longer open. */
function begun({ payins, clock }: OrderDependencies, payinId: string): Promise<boolean> {
  return retryOnConflict(clock, async () => {
    const seen = await payins.find(payinId);
    if (seen === undefined || !isOpen(seen.status)) return false;
    await payins.beginOrdering(seen, clock.now().toISOString());
    return true;
  });
}

/** The payment with its link, or its end. @throws {RailUnavailable} when the rail makes no link in time. */
async function withLink({ findPayment, clock }: OrderDependencies, ordered: Payment): Promise<Payment> {
  const until = clock.now().getTime() + LINK_TIMEOUT;
  let payment: Payment | undefined = ordered;
  while (isLinkToCome(payment) && clock.now().getTime() < until) {
    await clock.sleep(LINK_PAUSE);
    payment = await findPayment(ordered.reference);
  }
  if (payment === undefined || isLinkToCome(payment)) throw new RailUnavailable(`No link for ${ordered.reference}.`);
  return payment;
}

/** A payment that the rail does not find yet may still be found. */
function isLinkToCome(payment: Payment | undefined): boolean {
  return payment === undefined || (payment.status === 'PENDING' && payment.link === undefined);
}

/** The same request again without a key would order a second payment, which is payable like the first. */
function unknownOutcome(payinId: string, error: unknown): ApiError {
  const detail = `Whether pay-in ${payinId} can be paid is not known yet. Read it, or repeat the request with the same Idempotency-Key.`;
  const options = { detail, payinId, retryAfterSeconds: 10, cause: error };
  return new ApiError(error instanceof RailUnavailable ? 'RAIL_UNAVAILABLE' : asApiError(error).code, options);
}
