import * as z from 'zod/mini';
import type { User } from '#shared/clients/user.ts';
import type { Payin } from '#shared/pay-ins/pay-in.ts';
import { READABLE_AMOUNT } from '#shared/platform/amount.ts';

/**
 * The port of a payment rail. The pay-in's id is the reference of the payment; a rail accepts a reference once, so that
 * no retry creates a second payable link.
 */
export interface PaymentRail {
  readonly order: OrderPayment;
  readonly find: FindPayment;
  readonly readNotification: ReadRailNotification;
}

/** The rail's report of a payment. */
export const payment = z.object({
  reference: z.string(),
  status: z.enum(['PENDING', 'COMPLETED', 'FAILED', 'EXPIRED']),
  /** The ordered or, once completed, the paid amount: a decimal in units of the currency. */
  amount: z.string().check(z.regex(READABLE_AMOUNT)),
  currency: z.string().check(z.regex(/^[A-Z]{3}$/)),
  /** Where the payer pays. Rails create it a moment after the payment; until then it is absent. */
  link: z.optional(z.url({ protocol: /^https$/ })),
});

export type Payment = Readonly<z.infer<typeof payment>>;

interface PaymentOrder {
  /** The pay-in to collect. Its id is the reference of the payment. */
  readonly payin: Payin;
  /** The payer's data that rails require: PSE all of it, DAVIPLATA the document. */
  readonly payer: NonNullable<User['payer']>;
}

/**
 * Orders a payment; a reference that was or is being ordered is the same payment.
 *
 * @throws {RailRejected} when the rail will never accept it, and has not accepted it before. @throws {RailUnavailable}
 * when it is unknown whether the rail accepted it: look it up by its reference.
 */
export type OrderPayment = (order: PaymentOrder) => Promise<Payment>;

/** @throws {RailUnavailable} */
export type FindPayment = (reference: string) => Promise<Payment | undefined>;

/**
 * Verifies the signature of a notification over its raw bytes and returns its payment; `undefined` if it has none. Its
 * content is not used: the payment is looked up.
 *
 * @throws {BadSignature} when the rail did not sign these bytes.
 */
export type ReadRailNotification = (notification: {
  readonly rawBody: Buffer;
  readonly headers: ReadonlyMap<string, string>;
}) => Promise<{ readonly reference: string } | undefined>;

export class RailRejected extends Error {
  override readonly name = 'RailRejected';
}

/** The rail has not answered: it is asked again, after the pause that it requests. */
export class RailUnavailable extends Error {
  override readonly name: string = 'RailUnavailable';
  /** Seconds. */
  readonly retryAfter?: number;

  constructor(message: string, { retryAfter, ...options }: ErrorOptions & { readonly retryAfter?: number } = {}) {
    super(message, options);
    if (retryAfter !== undefined) this.retryAfter = retryAfter;
  }
}

/** Its answer is unreadable: the message names the field. */
export class PaymentUnreadable extends RailUnavailable {
  override readonly name = 'PaymentUnreadable';
}
