import type * as z from 'zod/mini';
import type { createPayin as contract } from '#shared/contracts/create-payin.ts';
import { describePayin } from '#shared/contracts/payin-answer.ts';
import { initialStatus, type Payin, type Rail } from '#shared/domain/payin.ts';
import { Refusal } from '#shared/domain/refusal.ts';
import type { PayinChanges } from '#shared/dynamodb/payin-changes.ts';
import type { Payins } from '#shared/dynamodb/payins.ts';
import type { FindUser, User } from '#shared/dynamodb/users.ts';
import type { UseCase } from '#shared/http/endpoint.ts';
import type { Idempotently } from '#shared/http/idempotency.ts';
import {
  type FindPayment,
  type OrderPayment,
  type Payment,
  RailRejected,
  RailUnavailable,
} from '#shared/payment-rail/payment-rail.ts';
import type { SettlePayin } from '#shared/payment-rail/settle-payin.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import { type CheckedOrder, checkOrder, type OrderRules } from './check-order.ts';

interface Dependencies extends OrderRules {
  readonly findUser: FindUser;
  readonly payins: Pick<Payins, 'find'> & Pick<PayinChanges, 'create' | 'keepLink'>;
  readonly orderPayment: OrderPayment;
  readonly findPayment: FindPayment;
  readonly settlePayin: SettlePayin;
  readonly idempotently: Idempotently;
  readonly clock: Clock;
}

/** How often, and after how many milliseconds, the rail is asked for the link it has not made yet. */
const LINK_LOOKS = 10;
const LINK_PAUSE = 400;

export type Body = z.infer<typeof contract.body>;

export function createPayin(deps: Dependencies): UseCase<typeof contract> {
  return async (call) => {
    const user = await deps.findUser(call.clientId, call.path.user_id);
    if (user === undefined) throw new Refusal('USER_NOT_FOUND');
    const body = call.body();
    const answer = await deps.idempotently(call, body, async (payinId) => {
      const order = await checkOrder(deps, body, user);
      const payin = await stored(deps, newPayin(payinId, user, order, deps.clock.now()));
      return describePayin(await ordered(deps, payin, user));
    });
    return { ...answer, ids: { payinId: answer.body.id } };
  };
}

/** The pay-in is on record before the rail is called: its id is the reference, and whatever happens can be looked up. */
async function stored({ payins }: Dependencies, payin: Payin): Promise<Payin> {
  if (await payins.create(payin)) return payin;
  return (await payins.find(payin.payinId)) ?? payin;
}

/** @throws {Refusal} RAIL_REJECTED, and the pay-in has failed; RAIL_UNAVAILABLE, and it stays open to be looked up. */
async function ordered(deps: Dependencies, payin: Payin, user: User): Promise<Payin> {
  if (payin.status === 'FAILED') throw new Refusal('RAIL_REJECTED');
  try {
    const { payinId, amount, currency, bank, phone, redirectUrl, expirationDate, paymentMethod } = payin;
    const details = { amount, currency, bank, phone, redirectUrl, expirationDate };
    const payment =
      (await deps.findPayment(payinId)) ??
      (await deps.orderPayment({ reference: payinId, rail: paymentMethod, ...details, payer: user.payer ?? {} }));
    if (paymentMethod !== 'PSE') return payin;
    const link = await linkOf(deps, payment);
    await deps.payins.keepLink(payinId, link);
    return { ...payin, pseLink: link };
  } catch (error) {
    if (error instanceof RailRejected) {
      await deps.settlePayin(payin.payinId, 'FAILED');
      throw new Refusal('RAIL_REJECTED', { cause: error });
    }
    if (!(error instanceof RailUnavailable)) throw error;
    throw new Refusal('RAIL_UNAVAILABLE', { retryAfterSeconds: 10, cause: error });
  }
}

/** @throws {RailUnavailable} when the rail makes no link in time. */
async function linkOf({ findPayment, clock }: Dependencies, payment: Payment): Promise<string> {
  let link = payment.link;
  for (let look = 1; link === undefined && look <= LINK_LOOKS; look += 1) {
    await clock.sleep(LINK_PAUSE);
    link = (await findPayment(payment.reference))?.link;
  }
  if (link === undefined) throw new RailUnavailable(`No link for ${payment.reference}.`);
  return link;
}

function newPayin(payinId: string, user: User, order: CheckedOrder, now: Date): Payin {
  const createdAt = now.toISOString();
  const rail: Rail = order.paymentMethod;
  const status = initialStatus(rail);
  return {
    payinId,
    clientId: user.clientId,
    userId: user.userId,
    status,
    sequence: 1,
    ...order,
    createdAt,
    statusHistory: [{ status, at: createdAt }],
  };
}
