import * as z from 'zod/mini';
import { sequence } from '#shared/events/event-envelope.ts';
import { documentValues } from '#shared/platform/http/document.ts';
import { instant } from '#shared/platform/http/fields.ts';
import { paymentMethod } from './payment-methods.ts';

/** decisions.md 5. A PSE pay-in begins as CASHININIT, the others as PENDING. */
export const payinStatuses = ['CASHININIT', 'PENDING', 'COMPLETED', 'FAILED', 'EXPIRED'] as const;

export type PayinStatus = (typeof payinStatuses)[number];

const payinStatus = z.enum(payinStatuses);

documentValues('PayinStatus', payinStatus, 'Status of a pay-in.', {
  CASHININIT: 'It was created on PSE and waits for the payer.',
  PENDING: 'It was created on NEQUI or DAVIPLATA and waits for the payer.',
  COMPLETED: 'It was paid. Final: when the rail takes money back, the status stays and reversedAt says since when.',
  FAILED: 'It was not paid, or not as ordered. It becomes COMPLETED if the ordered amount still arrives.',
  EXPIRED: 'It was not paid in time. It becomes COMPLETED if money still arrives.',
});

/** A status of a pay-in. */
export const payinStatusChange = z.object({ status: payinStatus, at: instant });

/** Money at the rail: a decimal in units of the currency. */
const money = z.object({ amount: z.string(), currency: z.string() });

export type Money = Readonly<z.infer<typeof money>>;

/** A contract that the payer accepts with an order: its address, and the digest of its file if the rail gives one. */
export const acceptedTerms = z.object({ permalink: z.string(), fileHash: z.optional(z.string()) });

export type AcceptedTerms = Readonly<z.infer<typeof acceptedTerms>>;

/** The amount at the rail if it is not the ordered one, and since when. */
const settlementMismatch = z.extend(money, { at: instant });

/** The end of a wrong amount: refunded by a transfer, or kept. */
export const mismatchOutcome = z.enum(['refunded', 'kept']);

/** How finance operations ended a mismatch, and its amount. */
export const mismatchEnd = z.extend(money, {
  outcome: mismatchOutcome,
  /** The reference of the refund's transfer. */
  reference: z.optional(z.string()),
  at: instant,
});

export type MismatchEnd = Readonly<z.infer<typeof mismatchEnd>>;

/**
 * A pay-in, defined once: the table stores these fields, and requests, answers and events are derived from them. Only
 * requests check the rules for requests, so that a stricter rule makes no stored pay-in unreadable.
 */
export const payin = z.object({
  payinId: z.string(),
  clientId: z.string(),
  userId: z.string(),
  status: payinStatus,
  /** Grows by one with every write that depends on the pay-in as it was read. */
  sequence,
  currency: z.literal('COP'),
  /** Canonical decimal, in pesos. */
  amount: z.string(),
  paymentMethod,
  /** The rail that collects it: the stage's rail for the method at the time of the creation. */
  rail: z.string(),
  /** Code of the payer's bank, for PSE. */
  bank: z.optional(z.string()),
  /** Ten digits, for NEQUI and DAVIPLATA. */
  phone: z.optional(z.string()),
  redirectUrl: z.optional(z.string()),
  externalReference: z.optional(z.string()),
  /** RFC 3339, as the client gave it. */
  expirationDate: z.optional(z.string()),
  /** The page on which the user pays or confirms, if the method has one at its rail, once the rail has created it. */
  paymentUrl: z.optional(z.string()),
  /** When the rail was last asked to collect, written before the call. Without it nothing can have been paid. */
  orderingSince: z.optional(instant),
  /** The contracts that its orders have accepted for the payer, written before the call, each once. */
  acceptedTerms: z.optional(z.readonly(z.array(acceptedTerms))),
  /** The rail's own id of the payment. */
  railPaymentId: z.optional(z.string()),
  /** Amounts of payments beside the one that completed it, in the same currency, by the rail's payment ids. */
  otherPayments: z.optional(z.readonly(z.record(z.string(), z.string()))),
  /** When the payer paid, according to the rail. */
  paidAt: z.optional(instant),
  /** Why it is FAILED, in the rail's own words. */
  failureReason: z.optional(z.string()),
  /** Since when the rail has less than the ordered amount of a completed pay-in. */
  reversedAt: z.optional(instant),
  /** Since when the rail has the ordered amount again, or in place of another one. */
  wholeSince: z.optional(instant),
  /** When another amount than the ordered one last came, changed or went. */
  moneyAt: z.optional(instant),
  /** For finance operations; clients do not see it. Absent if the rail has no money. */
  settlementMismatch: z.optional(settlementMismatch),
  /** Since when it waits for finance operations; absent once they have ended it. */
  mismatchedAt: z.optional(instant),
  /** The last ends, newest last; a change of the amount after an end is a new mismatch. */
  mismatchEnds: z.optional(z.readonly(z.array(mismatchEnd))),
  /** Since when the rail's answers about it cannot be read. */
  unreadableSince: z.optional(instant),
  createdAt: instant,
  statusHistory: z.readonly(z.array(payinStatusChange)),
});

export type Payin = Readonly<z.infer<typeof payin>>;

const open: readonly PayinStatus[] = ['CASHININIT', 'PENDING'];

export function isOpen(status: PayinStatus): boolean {
  return open.includes(status);
}

/** True if the change is allowed: an open pay-in may end in any way, any other may become COMPLETED, which is final. */
export function mayPayinBecome(from: PayinStatus, to: PayinStatus): boolean {
  return isOpen(from) ? !isOpen(to) : from !== 'COMPLETED' && to === 'COMPLETED';
}

/** True if the rail has another amount than the ordered one, whether finance operations have ended this or not. */
export function isMismatched({ reversedAt, settlementMismatch }: Payin): boolean {
  return reversedAt !== undefined || settlementMismatch !== undefined;
}

/** The amount at the rail of a pay-in that is completed, or was paid with another amount. */
export function moneyOf({ reversedAt, settlementMismatch, amount, currency }: Payin): Money {
  return settlementMismatch ?? { amount: reversedAt === undefined ? amount : '0', currency };
}

/** The part of the ordered amount that the rail still has: neither an excess nor another currency counts. */
export function remainingOf(payin: Payin): string {
  if (payin.reversedAt === undefined) return payin.amount;
  const there = moneyOf(payin);
  return there.currency === payin.currency ? there.amount : '0';
}

export function hasExpired({ expirationDate }: Payin, now: Date): boolean {
  return expirationDate !== undefined && now.getTime() > Date.parse(expirationDate);
}

/** Characters. */
const LONGEST_REASON = 200;

/** A rail's words as clients see them: shortened, on one line, without control characters; `undefined` if empty. */
export function plainReason(text: string | undefined): string | undefined {
  const plain = text?.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim();
  return plain ? [...plain].slice(0, LONGEST_REASON).join('') : undefined;
}

const MOBILE_NUMBER = /^(?:\+57)?(3\d{9})$/;

/** The ten digits of a Colombian mobile number, with or without +57; `undefined` for anything else. */
export function normalisePhone(text: string): string | undefined {
  return MOBILE_NUMBER.exec(text)?.[1];
}
