import * as z from 'zod/mini';
import { instant } from '#shared/platform/http/fields.ts';
import { listLookup, reportLookup, waitingFields } from '#shared/platform/operators/lists.ts';
import { payin, payinStatusChange } from './pay-in.ts';
import { nextStep } from './pay-in-next-step.ts';

const waiting = waitingFields(nextStep);

export const listMismatchedContract = listLookup(
  'mismatched',
  'Pay-ins with another amount at the rail than ordered, or taken back, oldest first.',
  z.object({
    ...z.pick(payin, { payinId: true, clientId: true, status: true, amount: true, currency: true }).shape,
    ...z.pick(payin, { reversedAt: true }).shape,
    /** The amount at the rail. */
    paid: z.string(),
    ...waiting,
  }),
);

/** A pay-in that was paid. */
export const completedLine = z.object({
  completedAt: instant,
  ...z.pick(payin, { payinId: true, clientId: true, userId: true, paymentMethod: true, currency: true, amount: true })
    .shape,
  ...z.pick(payin, { status: true, createdAt: true, externalReference: true }).shape,
  /** How much of the ordered amount the rail has now. */
  settlement: z.enum(['IN_FULL', 'TOO_MUCH', 'TAKEN_BACK_IN_PART', 'TAKEN_BACK']),
  /** The amount at the rail in the currency of the order. */
  amountAtRail: z.string(),
  ...z.pick(payin, { reversedAt: true }).shape,
});

export const reportPayinsContract = reportLookup(
  'report-payins',
  'Completed pay-ins: totals per day, client, payment method and current settlement; with --csv a line each.',
  completedLine,
);

/** Without the payer's data, which the look-up of the user shows. */
export const lookedUpPayin = z.object({
  next: nextStep,
  ...z.pick(payin, { payinId: true, status: true, clientId: true, userId: true, currency: true, amount: true }).shape,
  ...z.pick(payin, { paymentMethod: true, rail: true, railPaymentId: true, otherPayments: true, paidAt: true }).shape,
  ...z.pick(payin, { failureReason: true }).shape,
  ...z.pick(payin, { externalReference: true, expirationDate: true, orderingSince: true, acceptedTerms: true }).shape,
  ...z.pick(payin, { settlementMismatch: true, reversedAt: true, wholeSince: true, mismatchedAt: true }).shape,
  ...z.pick(payin, { mismatchEnds: true, unreadableSince: true, createdAt: true, sequence: true }).shape,
  /** When the rail is polled next; absent if never. */
  nextPollAt: z.optional(z.string()),
  statusHistory: z.array(payinStatusChange),
});

/** A pay-in about which the rail's answers are unreadable. */
export const unreadablePayin = z.partial(z.pick(payin, { payinId: true, clientId: true, status: true }));
