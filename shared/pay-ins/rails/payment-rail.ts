import * as z from 'zod/mini';
import type { User } from '#shared/clients/user.ts';
import { acceptedTerms, type Payin } from '#shared/pay-ins/pay-in.ts';
import type { PaymentMethod } from '#shared/pay-ins/payment-methods.ts';
import { READABLE_AMOUNT } from '#shared/platform/amount.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { HttpRequest } from '#shared/platform/http/event.ts';
import { instant } from '#shared/platform/http/fields.ts';
import { Unavailable } from '#shared/platform/retry.ts';

/**
 * The port of a payment rail: a provider that collects by one or more payment methods. The pay-in's id is the reference
 * of the payment; a rail accepts a reference once, so that no retry creates a second payable link.
 */
export interface PaymentRail {
  /** Absent if orders need no preparation. */
  readonly prepare?: PrepareOrder;
  readonly order: OrderPayment;
  readonly find: FindPaymentAtRail;
  readonly listPayments: ListPayments;
  /** Absent if the stage's own list of banks applies. */
  readonly listBanks?: ListRailBanks;
  readonly readNotification: ReadRailNotification;
}

/** A payment method as a rail offers it. */
interface MethodAtRail {
  /** Fields that the user's record must have; otherwise the pay-in is refused before the rail is called. */
  readonly requires: readonly PayerField[];
  /** True if the payer pays or confirms on a page that the rail creates. */
  readonly hasPage: boolean;
}

/** The data of a payer that a rail may require. */
export type PayerField = keyof NonNullable<User['payer']> | 'phone';

export type RailMethods = Readonly<Record<PaymentMethod, MethodAtRail>>;

/**
 * The rail's methods, and a factory of each member of the port. A function creates, once, the members that its
 * deployment has settings and permissions for. The reader of notifications is separate, because only one function needs
 * it.
 */
export type RailAdapter = {
  readonly [Member in keyof Omit<PaymentRail, 'readNotification'>]: (clock: Clock) => NonNullable<PaymentRail[Member]>;
} & { readonly methods: RailMethods };

/** Creates, once, the reader of a rail's notifications. */
export type CreateRailNotifications = (clock: Clock) => ReadRailNotification;

/** The address of a page of the rail. It is limited, because the pay-in that stores it has to fit into a table item. */
const pageUrl = z.url({ protocol: /^https$/ }).check(z.maxLength(2000));

/** The reference of any listed payment. It becomes a table key: an invalid one would fail the read of its page. */
export const paymentReference = z.string().check(z.minLength(1), z.maxLength(255));

/** The rail's report of a payment. */
export const payment = z.object({
  reference: paymentReference,
  status: z.enum(['PENDING', 'COMPLETED', 'FAILED', 'EXPIRED']),
  /** The ordered or, once completed, the paid amount: a decimal in units of the currency. */
  amount: z.string().check(z.regex(READABLE_AMOUNT)),
  currency: z.string().check(z.regex(/^[A-Z]{3}$/)),
  /** Where the payer pays. Rails create it a moment after the payment; until then it is absent. */
  link: z.optional(pageUrl),
  /** The rail's own id of the payment. A look-up by it may find the payment sooner than one by the reference. */
  railPaymentId: z.optional(z.string().check(z.minLength(1), z.maxLength(255))),
  /** When the payer paid, according to the rail. */
  paidAt: z.optional(instant),
  /** Why it failed, in the rail's own words. */
  failureReason: z.optional(z.string()),
});

export type Payment = Readonly<z.infer<typeof payment>>;

/** Data that are prepared before an order. The terms that the order accepts are stored in the pay-in first. */
export const preparation = z.object({
  acceptedTerms: z.readonly(z.array(acceptedTerms)),
  /** Tokens that tell the rail that the terms are accepted, in the order of the terms. */
  acceptanceTokens: z.readonly(z.array(z.string())),
});

export type Preparation = Readonly<z.infer<typeof preparation>>;

/** Prepares an order; nothing becomes payable by this. @throws {RailUnavailable} */
export type PrepareOrder = () => Promise<Preparation>;

interface PaymentOrder {
  /** The pay-in to collect. Its id is the reference of the payment. */
  readonly payin: Payin;
  /** The payer's data that rails require. The phone as ten digits. */
  readonly payer: NonNullable<User['payer']> & Pick<User, 'phone'>;
  /** Present if the rail prepares orders. */
  readonly prepared?: Preparation;
}

/**
 * Orders a payment. A reference that was or is being ordered gives the same payment.
 *
 * @throws {RailRejected} when the rail will never accept it, and has not accepted it before. @throws {RailUnavailable}
 * when it is unknown whether the rail accepted it: look it up by its reference.
 */
export type OrderPayment = (order: PaymentOrder) => Promise<Payment>;

/**
 * Looks up a payment. `undefined` only if the rail itself says that it has no such payment: by an empty list, or by the
 * answer that it documents for that. Anything else, such as 401, 403, a 404 of a path or an unreadable body, throws.
 *
 * @throws {RailUnavailable}
 */
export type FindPaymentAtRail = (sought: {
  readonly reference: string;
  readonly railPaymentId?: string;
  /** The payment was not ordered before this time; for rails that search by time. */
  readonly orderedAt: string;
  /** When it was last ordered, absent if never: a rail may not show a payment yet that it has just taken. */
  readonly lastOrderedAt?: string;
}) => Promise<Payment | undefined>;

/** Looks up the payment of a pay-in at the rail that collects it. @throws {RailUnavailable} */
export type FindPayment = (payin: Payin) => Promise<Payment | undefined>;

/**
 * Returns a page of the payments of any status that were created in this period, in any order without gaps. The page
 * without a cursor is the last one; a cursor is valid for a day.
 *
 * @throws {RailUnavailable}
 */
export type ListPayments = (asked: {
  readonly createdSince: string;
  readonly until: string;
  readonly cursor?: string;
}) => Promise<{ readonly payments: readonly Payment[]; readonly cursor?: string }>;

/**
 * Verifies the signature of a notification over its raw bytes and returns the references of the payments that it is
 * about, if any. The rest of its content is not used: the payments are looked up.
 *
 * @throws {BadSignature} when the rail did not sign these bytes.
 */
export type ReadRailNotification = (
  notification: Pick<HttpRequest, 'rawBody' | 'headers' | 'query'>,
) => Promise<readonly string[]>;

/** A bank from which payers can pay, as the rail names it. */
export interface RailBank {
  /** The rail's own code of the bank. */
  readonly code: string;
  readonly name: string;
}

/** All banks from which payers can pay now. @throws {RailUnavailable} */
export type ListRailBanks = () => Promise<readonly RailBank[]>;

/** Its message is for the client: the rail's own words, without secrets. */
export class RailRejected extends Error {
  override readonly name = 'RailRejected';
}

/** The rail has not answered; it is asked again, after the pause that it requests. */
export class RailUnavailable extends Unavailable {
  override readonly name: string = 'RailUnavailable';
}

/** The stage's settings no longer name the rail. */
export class RailNotServed extends RailUnavailable {
  override readonly name = 'RailNotServed';
}

/** The rail's answer is unreadable, or contradicts what it has said before; the message names the field. */
export class PaymentUnreadable extends RailUnavailable {
  override readonly name = 'PaymentUnreadable';
}
