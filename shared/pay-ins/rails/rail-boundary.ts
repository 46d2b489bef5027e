import * as z from 'zod/mini';
import { moneyOf, type Payin } from '#shared/pay-ins/pay-in.ts';
import type { Clock } from '#shared/platform/clock.ts';
import {
  type FindPayment,
  type ListPayments,
  type ListRailBanks,
  type OrderPayment,
  type Payment,
  type PaymentRail,
  PaymentUnreadable,
  type Preparation,
  payment,
  paymentReference,
  preparation,
  RailNotServed,
  RailUnavailable,
} from './payment-rail.ts';

/*
 * The boundary of every rail (decisions.md 12, Boundary). Without an answer in time the outcome is unknown, and the
 * caller continues. An answer that does not match the request leaves it unknown, too: nothing of it is stored.
 */

/** Members of the stage's rails, by name. */
export type Rails<Member extends keyof PaymentRail> = ReadonlyMap<string, Pick<PaymentRail, Member>>;

/** Milliseconds. A look-up, a preparation and an order leave a function of 25 seconds time to record the result. */
const LONGEST_LOOK_UP = 3000;
/** No client waits for a poll, so it has time for the second call by which a rail makes sure of a failure. */
export const LONGEST_POLL = 5000;
const LONGEST_ORDER = 8000;
const LONGEST_PREPARATION = 2000;
const LONGEST_LIST = 10_000;

export function createFindPayment(rails: Rails<'find'>, clock: Clock, longest = LONGEST_LOOK_UP): FindPayment {
  return async (payin) => {
    const { payinId: reference, railPaymentId, createdAt: orderedAt, orderingSince: lastOrderedAt } = payin;
    const known = { ...(railPaymentId !== undefined && { railPaymentId }), ...(lastOrderedAt && { lastOrderedAt }) };
    const sought = { reference, orderedAt, ...known };
    const found = await inTime(railOf(rails, payin).find(sought), longest, clock);
    if (found !== undefined) return readable(found, reference);
    if (isPaidForLong(payin, clock.now())) throw new PaymentUnreadable('A completed pay-in without a payment.');
    return undefined;
  };
}

/** Milliseconds from a completion within which a rail may answer from a copy that does not have the payment yet. */
const STALE_FOR = 3600_000;

/** True if the rail must know the payment, because it has said that it has the money. */
function isPaidForLong(payin: Payin, now: Date): boolean {
  const { status, statusHistory, createdAt } = payin;
  const since = Date.parse(statusHistory.at(-1)?.at ?? createdAt);
  return status === 'COMPLETED' && moneyOf(payin).amount !== '0' && now.getTime() >= since + STALE_FOR;
}

export function createOrderPayment(rails: Rails<'order'>, clock: Clock): OrderPayment {
  return async (ordered) => {
    const answer = await inTime(railOf(rails, ordered.payin).order(ordered), LONGEST_ORDER, clock);
    return readable(answer, ordered.payin.payinId);
  };
}

/** Prepares an order at the rail of the pay-in; `undefined` if that rail prepares nothing. */
export function createPrepareOrder(rails: Rails<'prepare'>, clock: Clock) {
  return async (payin: Payin): Promise<Preparation | undefined> => {
    const { prepare } = railOf(rails, payin);
    return prepare && parsed(preparation, await inTime(prepare(), LONGEST_PREPARATION, clock));
  };
}

const railBanks = z
  .array(
    z.object({
      code: z.string().check(z.regex(/^\d{1,4}$/)),
      name: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
    }),
  )
  .check(
    z.minLength(1),
    z.refine((banks) => new Set(banks.map(({ code }) => code)).size === banks.length),
  );

/** Lists the banks from which payers can pay at a rail: at least one, each code once. */
export function createListRailBanks(listBanks: ListRailBanks, clock: Clock): ListRailBanks {
  return async () => parsed(railBanks, await inTime(listBanks(), LONGEST_LIST, clock));
}

/** The readable part of a listed payment: all of it, the reference alone, or nothing. */
export interface ListedPayment {
  readonly reference?: string;
  readonly payment?: Payment;
}

const listedPage = z.object({ payments: z.array(z.unknown()), cursor: z.optional(z.string().check(z.minLength(1))) });

const referred = z.object({ reference: paymentReference });

/** Reads a page of a rail's payments; each payment is parsed on its own. */
export function createListPayments({ listPayments }: Pick<PaymentRail, 'listPayments'>, clock: Clock) {
  return async (asked: Parameters<ListPayments>[0]) => {
    const page = listedPage.safeParse(await inTime(listPayments(asked), LONGEST_LIST, clock));
    if (!page.success) throw new PaymentUnreadable('A page of the list of payments.');
    const { payments, cursor } = page.data;
    if (cursor !== undefined && cursor === asked.cursor) throw new PaymentUnreadable('The list repeats its cursor.');
    return { payments: payments.map(listed), cursor };
  };
}

function listed(one: unknown): ListedPayment {
  const read = payment.safeParse(one);
  return read.success ? { reference: read.data.reference, payment: read.data } : (referred.safeParse(one).data ?? {});
}

/** Only the rail that took the order has the payment, even if the stage has another rail for the method by now. */
function railOf<Member extends keyof PaymentRail>(rails: Rails<Member>, { rail }: Payin): Pick<PaymentRail, Member> {
  const asked = rails.get(rail);
  if (asked === undefined) throw new RailNotServed(`The stage has no rail ${rail} any more.`);
  return asked;
}

function readable(answer: Payment, reference: string): Payment {
  const read = parsed(payment, answer);
  if (read.reference !== reference) throw new PaymentUnreadable('reference: of another payment');
  return read;
}

/** @throws {PaymentUnreadable} */
function parsed<Schema extends z.core.$ZodType>(schema: Schema, answer: unknown): z.output<Schema> {
  const { data, error } = z.safeParse(schema, answer);
  if (error === undefined) return data;
  const wrong = error.issues.map(({ path, code }) => `${path.join('.') || 'answer'}: ${code}`);
  throw new PaymentUnreadable(wrong.join(', '));
}

async function inTime<Answer>(asked: Promise<Answer>, milliseconds: number, clock: Clock): Promise<Answer> {
  let cancel = () => {};
  const late = new Promise<never>((_, reject) => {
    cancel = clock.after(milliseconds, () => reject(new RailUnavailable(`No answer in ${milliseconds} ms.`)));
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    cancel();
  }
}
