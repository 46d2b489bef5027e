import type { User } from '#shared/clients/user.ts';
import type { Payin } from '#shared/pay-ins/pay-in.ts';

/**
 * What the service asks of a payment rail. The pay-in's id is the reference under which the rail knows the payment; it
 * takes a reference once, so that no retry makes a second payable link.
 */
export interface PaymentRail {
  readonly order: OrderPayment;
  readonly find: FindPayment;
  readonly readNotification: ReadRailNotification;
}

export interface Payment {
  readonly reference: string;
  readonly status: 'PENDING' | 'COMPLETED' | 'FAILED' | 'EXPIRED';
  /** What is to be paid or, once it is completed, what was paid: a decimal in units of the currency. */
  readonly amount: string;
  readonly currency: string;
  /** Where the payer pays. Rails make it a moment after the payment; until then it is absent. */
  readonly link?: string | undefined;
}

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

export class RailUnavailable extends Error {
  override readonly name = 'RailUnavailable';
}
