import * as z from 'zod/mini';
import type { User } from '#shared/clients/user.ts';
import type { Payin } from '#shared/pay-ins/pay-in.ts';
import { READABLE_AMOUNT } from '#shared/platform/amount.ts';

/**
 * What the service asks of a payment rail. The pay-in's id is the reference under which the rail knows the payment; it
 * takes a reference once, so that no retry makes a second payable link.
 */
export interface PaymentRail {
  readonly order: OrderPayment;
  readonly find: FindPayment;
  readonly readNotification: ReadRailNotification;
}

/** What a rail says of a payment. */
export const payment = z.object({
  reference: z.string(),
  status: z.enum(['PENDING', 'COMPLETED', 'FAILED', 'EXPIRED']),
  /** What is to be paid or, once it is completed, what was paid: a decimal in units of the currency. */
  amount: z.string().check(z.regex(READABLE_AMOUNT)),
  currency: z.string().check(z.regex(/^[A-Z]{3}$/)),
  /** Where the payer pays. Rails make it a moment after the payment; until then it is absent. */
  link: z.optional(z.url({ protocol: /^https$/ })),
});

export type Payment = Readonly<z.infer<typeof payment>>;

interface PaymentOrder {
  /** What is to be collected. Its id is the reference of the payment. */
  readonly payin: Payin;
  /** What rails ask of the payer: PSE all of it, DAVIPLATA the document. */
  readonly payer: NonNullable<User['payer']>;
}

/**
 * Orders a payment; a reference that was ordered before, or is being ordered at this moment, is the same payment.
 *
 * @throws {RailRejected} when the rail will never take it, and has not taken it before.
 * @throws {RailUnavailable} when it is not known whether the rail took it: to be looked up by its reference.
 */
export type OrderPayment = (order: PaymentOrder) => Promise<Payment>;

/** @throws {RailUnavailable} */
export type FindPayment = (reference: string) => Promise<Payment | undefined>;

/**
 * Verifies the signature of a notification over its raw bytes and says which payment it is about; `undefined` when it
 * is about none. Its content is not used: the payment is looked up.
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

/** The rail has not said what is asked of it: it is asked again, not before the seconds that it wants are over. */
export class RailUnavailable extends Error {
  override readonly name: string = 'RailUnavailable';
  /** Seconds. */
  readonly retryAfter?: number;

  constructor(message: string, { retryAfter, ...options }: ErrorOptions & { readonly retryAfter?: number } = {}) {
    super(message, options);
    if (retryAfter !== undefined) this.retryAfter = retryAfter;
  }
}

/** It has answered, and its answer cannot be read: the message says what of it. */
export class PaymentUnreadable extends RailUnavailable {
  override readonly name = 'PaymentUnreadable';
}
