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
  /** Absent where orders need nothing that is made before. */
  readonly prepare?: PrepareOrder;
  readonly order: OrderPayment;
  readonly find: SeekPayment;
  readonly listPayments: ListPayments;
  /** Absent where the stage's own list of banks counts. */
  readonly listBanks?: ListRailBanks;
  readonly readNotification: ReadRailNotification;
}

/** What a rail makes of a payment method. */
interface MethodAtRail {
  /** What the record of the user must have: a pay-in without it is refused before the rail is called. */
  readonly requires: readonly PayerField[];
  /** Whether the payer pays or confirms on a page, which the rail makes. */
  readonly hasPage: boolean;
}

/** The data of a payer that a rail may require. */
export type PayerField = keyof NonNullable<User['payer']> | 'phone';

export type RailMethods = Readonly<Record<PaymentMethod, MethodAtRail>>;

/**
 * What the rail makes of each method, and each member of its adapter: a function makes, once, those that its deployment
 * has settings and permissions for. What reads its notifications is apart: one function needs it.
 */
export type RailAdapter = {
  readonly [Member in keyof Omit<PaymentRail, 'readNotification'>]: (clock: Clock) => NonNullable<PaymentRail[Member]>;
} & { readonly methods: RailMethods };

/** Makes what reads the notifications of a rail, once. */
export type CreateRailNotifications = (clock: Clock) => ReadRailNotification;

/** The address of a page of the rail. A pay-in with it has to fit into an item of the table. */
const pageUrl = z.url({ protocol: /^https$/ }).check(z.maxLength(2000));

/** Of a payment, ours or not: another text is no key of the table, and reads of all that is listed with it would fail. */
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
  /** The rail's own id of it, by which it may be found sooner than by our reference. */
  railPaymentId: z.optional(z.string().check(z.minLength(1), z.maxLength(255))),
  /** When the payer paid, as the rail has it. */
  paidAt: z.optional(instant),
  /** Why it failed, in the rail's own words. */
  failureReason: z.optional(z.string()),
});

export type Payment = Readonly<z.infer<typeof payment>>;

/** What an order is sent with, made before it: what it accepts for the payer is kept in the pay-in first. */
export const preparation = z.object({
  acceptedTerms: z.readonly(z.array(acceptedTerms)),
  /** Says to the rail that they are accepted, in their order. */
  acceptanceTokens: z.readonly(z.array(z.string())),
});

export type Preparation = Readonly<z.infer<typeof preparation>>;

/** Nothing can be paid by it. @throws {RailUnavailable} */
export type PrepareOrder = () => Promise<Preparation>;

interface PaymentOrder {
  /** The pay-in to collect. Its id is the reference of the payment. */
  readonly payin: Payin;
  /** The payer's data that rails require. The phone as ten digits. */
  readonly payer: NonNullable<User['payer']> & Pick<User, 'phone'>;
  /** Where the rail prepares orders. */
  readonly prepared?: Preparation;
}

/**
 * Orders a payment; a reference that was or is being ordered is the same payment.
 *
 * @throws {RailRejected} when the rail will never accept it, and has not accepted it before. @throws {RailUnavailable}
 * when it is unknown whether the rail accepted it: look it up by its reference.
 */
export type OrderPayment = (order: PaymentOrder) => Promise<Payment>;

/**
 * `undefined` only when the rail itself says that it has no such payment: an empty list, or the answer that it documents
 * for that. Anything else, such as 401, 403, a 404 of a path or what cannot be read, is no answer.
 *
 * @throws {RailUnavailable}
 */
export type SeekPayment = (sought: {
  readonly reference: string;
  readonly railPaymentId?: string;
  /** It was not ordered before: where a rail searches by time. */
  readonly orderedAt: string;
}) => Promise<Payment | undefined>;

/** The payment of a pay-in, by the rail that collects it. @throws {RailUnavailable} */
export type FindPayment = (payin: Payin) => Promise<Payment | undefined>;

/**
 * A page of the payments that were created in this time, whatever their status, in any order without gaps. The page
 * without a cursor is the last one; a cursor is good for a day.
 *
 * @throws {RailUnavailable}
 */
export type ListPayments = (asked: {
  readonly createdSince: string;
  readonly until: string;
  readonly cursor?: string;
}) => Promise<{ readonly payments: readonly Payment[]; readonly cursor?: string }>;

/**
 * Verifies the signature of a notification over its raw bytes and returns the references that it is about; none if it is
 * about nothing of ours. Its content is not used: the payments are looked up.
 *
 * @throws {BadSignature} when the rail did not sign these bytes.
 */
export type ReadRailNotification = (
  notification: Pick<HttpRequest, 'rawBody' | 'headers' | 'query'>,
) => Promise<readonly string[]>;

/** A bank from which payers can pay, as the rail names it. */
export interface RailBank {
  /** Names the bank at the rail. */
  readonly code: string;
  readonly name: string;
}

/** All banks from which payers can pay now. @throws {RailUnavailable} */
export type ListRailBanks = () => Promise<readonly RailBank[]>;

/** Its message is for the client: the rail's own words, without secrets. */
export class RailRejected extends Error {
  override readonly name = 'RailRejected';
}

/** The rail has not answered: it is asked again, after the pause that it requests. */
export class RailUnavailable extends Unavailable {
  override readonly name: string = 'RailUnavailable';
}

/** The settings have it no more. */
export class RailNotServed extends RailUnavailable {
  override readonly name = 'RailNotServed';
}

/** Its answer is unreadable: the message names the field. */
export class PaymentUnreadable extends RailUnavailable {
  override readonly name = 'PaymentUnreadable';
}
