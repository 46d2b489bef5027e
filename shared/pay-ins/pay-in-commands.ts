import * as z from 'zod/mini';
import { payinErrors } from '#shared/pay-ins/pay-in-errors.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { command } from '#shared/platform/http/command.ts';
import { id, instant } from '#shared/platform/http/fields.ts';
import { confirmCommand, proposedChange } from '#shared/platform/operators/proposals.ts';
import { mismatchEnd, mismatchOutcome, payin } from './pay-in.ts';

const AMOUNT = /^\d{1,30}(\.\d{1,18})?$/;

const REFERENCE = /^[\x21-\x7e](?:[\x20-\x7e]{0,98}[\x21-\x7e])?$/;

const ofPayin = z.strictObject({ payinId: id });

export const pollPayinContract = command({
  name: 'poll-payin',
  subject: ['payinId'],
  summary: 'Asks the rail for the payment of a pay-in, within a minute.',
  input: ofPayin,
  answer: z.object({ payinId: id, nextPollAt: instant }),
  errors: [payinErrors.PAYIN_NOT_FOUND],
});

export const expirePayinContract = command({
  name: 'expire-payin',
  subject: ['payinId'],
  summary: 'Ends a pay-in as EXPIRED that its rail still calls open 30 days after its last day.',
  input: ofPayin,
  answer: z.object({ payinId: id, ...z.pick(payin, { status: true }).shape }),
  errors: [payinErrors.PAYIN_NOT_FOUND, payinErrors.PAYIN_STATUS_CONFLICT, apiErrors.SERVICE_UNAVAILABLE],
});

const endedPayin = z.object({
  payinId: id,
  ...z.pick(payin, { status: true, settlementMismatch: true, reversedAt: true }).shape,
  ...z.omit(mismatchEnd, { at: true }).shape,
});

export const endPayinContract = command({
  name: 'end-payin',
  subject: ['payinId'],
  summary:
    'Records what became of a wrong amount: refunded by a transfer, or kept. An open pay-in becomes FAILED. Above the limit of one person it is only proposed.',
  input: z.extend(ofPayin, {
    /** The settled amount, as `mismatched` shows it. Rejected if the rail's amount has changed since. */
    paidAmount: z.string().check(z.regex(AMOUNT, 'must be an amount such as 14000 or 14000.5')),
    outcome: mismatchOutcome,
    /** The reference of the refund's transfer. */
    reference: z.optional(z.string().check(z.trim(), z.regex(REFERENCE, 'must be 1 to 100 printable characters'))),
    /** The amount's currency, if it is not the order's. */
    currency: z.optional(z.string().check(z.regex(/^[A-Z]{3}$/, 'must be a currency such as COP'))),
  }),
  answer: z.extend(endedPayin, { proposal: z.optional(proposedChange) }),
  errors: [payinErrors.PAYIN_NOT_FOUND, payinErrors.PAYIN_STATUS_CONFLICT, apiErrors.SERVICE_UNAVAILABLE],
});

export const confirmPayinContract = confirmCommand({
  name: 'confirm-payin',
  subject: 'payinId',
  of: 'a pay-in',
  answer: endedPayin,
  errors: [payinErrors.PAYIN_NOT_FOUND, payinErrors.PAYIN_STATUS_CONFLICT],
});
