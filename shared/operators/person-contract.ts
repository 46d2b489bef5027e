import * as z from 'zod/mini';
import { clientErrors } from '#shared/clients/client-errors.ts';
import { readUserContract } from '#shared/clients/client-lookups.ts';
import { user } from '#shared/clients/user.ts';
import { lookedUpDeposit } from '#shared/off-ramps/contract/operator-lookups.ts';
import { offRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { payin } from '#shared/pay-ins/pay-in.ts';
import { apiErrors, declareErrors } from '#shared/platform/http/api-errors.ts';
import { command, lookup } from '#shared/platform/http/command.ts';
import { id, instant } from '#shared/platform/http/fields.ts';

/* What a person can ask of whoever keeps its data (Ley 1581 of 2012, articles 8 and 15; GDPR, articles 15 and 17). */

export const personErrors = declareErrors({
  USER_HAS_OPEN_BUSINESS: [409, 'Something of the user is open, so nothing was erased. The detail says what.'],
});

export const exportUserContract = lookup({
  name: 'export-user',
  summary:
    'All that is kept of a user, for the person who asks: its data, wallets, off-ramps with deposits, and pay-ins.',
  query: z.strictObject({
    userId: id,
    /** The last record of the previous page. */
    after: z.optional(z.string().check(z.regex(/^(off-ramp|pay-in)#[\w-]{1,64}$/))),
  }),
  answer: z.object({
    ...z.omit(z.object(readUserContract.success.body.shape), { changes: true }).shape,
    offRamps: z.array(
      z.object({
        ...z.pick(offRamp, { operationId: true, status: true, network: true, token: true, amount: true }).shape,
        ...z.pick(offRamp, { address: true, addressTag: true, senderAddress: true, externalReference: true }).shape,
        ...z.pick(offRamp, { txHash: true, verifiedTxHash: true, payout: true, createdAt: true, endedAt: true }).shape,
        deposits: z.array(lookedUpDeposit),
      }),
    ),
    payIns: z.array(
      z.object({
        ...z.pick(payin, { payinId: true, status: true, currency: true, amount: true, paymentMethod: true }).shape,
        ...z.pick(payin, { rail: true, railPaymentId: true, bank: true, phone: true, externalReference: true }).shape,
        ...z.pick(payin, { acceptedTerms: true, failureReason: true, paidAt: true, createdAt: true }).shape,
      }),
    ),
    /** The last record of this page; absent on the last one. */
    nextAfter: z.optional(z.string()),
  }),
  errors: [clientErrors.USER_NOT_FOUND, apiErrors.SERVICE_UNAVAILABLE],
});

export const eraseUserContract = command({
  name: 'erase-user',
  subject: ['userId'],
  summary:
    'Erases the e-mail address and phone number of a user, and has the rest go when the law does not ask for it any more. In two steps, a minute apart: the first one ends new orders.',
  input: z.object({ userId: id }),
  answer: z.object({
    userId: id,
    /** CLOSED: it gets no new orders, and the same command erases its data from `eraseFrom` on. */
    status: z.enum(['CLOSED', 'ERASED']),
    eraseFrom: z.optional(instant),
    erasedAt: user.shape.erasedAt,
    /** When the rest is deleted. */
    restGoesAt: z.optional(instant),
  }),
  errors: [clientErrors.USER_NOT_FOUND, personErrors.USER_HAS_OPEN_BUSINESS, apiErrors.SERVICE_UNAVAILABLE],
});
