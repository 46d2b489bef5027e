import * as z from 'zod/mini';
import { clientErrors } from '#shared/clients/client-errors.ts';
import { readUserContract } from '#shared/clients/client-lookups.ts';
import { user } from '#shared/clients/user.ts';
import { lookedUpDeposit } from '#shared/off-ramps/contract/operator-lookups.ts';
import { offRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { verification } from '#shared/off-ramps/model/verification.ts';
import { payin } from '#shared/pay-ins/pay-in.ts';
import { apiErrors, declareErrors } from '#shared/platform/http/api-errors.ts';
import { command, lookup } from '#shared/platform/http/command.ts';
import { id, instant } from '#shared/platform/http/fields.ts';
import { awaitedStep } from '#shared/platform/operators/proposals.ts';

/* Requests that persons may make about their data (Ley 1581 of 2012, articles 8 and 15; GDPR, articles 15 and 17). */

export const personErrors = declareErrors({
  USER_HAS_OPEN_BUSINESS: [409, 'Something of the user is open, so nothing was erased. The detail says what.'],
});

export const exportUserContract = lookup({
  name: 'export-user',
  summary:
    'All stored data of a user, for the person who asks: profile, wallets, off-ramps with deposits, and pay-ins.',
  query: z.strictObject({
    userId: id,
    /** The last record of the previous page, from its `nextAfter`. */
    after: z.optional(z.string().check(z.regex(/^(off-ramp|pay-in)#[\w-]{1,64}$/))),
  }),
  answer: z.object({
    ...z.omit(z.object(readUserContract.success.body.shape), { changes: true }).shape,
    /** Each as stored, but without `derivation`: how the key of its address is found says nothing about the person. */
    offRamps: z.array(
      z.extend(z.omit(offRamp, { clientId: true, userId: true, derivation: true }), {
        /** The reported hashes. The results of their checks are left out: they say nothing more about the person. */
        reported: z.optional(
          z.pick(verification, { txHash: true, windowStartsAt: true, windowEndsAt: true, earlierAttempts: true }),
        ),
        /** The reported hashes are stored, but cannot be read, so `reported` is missing. */
        unreadableReported: z.optional(z.literal(true)),
        deposits: z.array(lookedUpDeposit),
        /** Ids of deposits that are left out because they cannot be read. */
        unreadableDeposits: z.optional(z.array(z.string())),
      }),
    ),
    payIns: z.array(z.omit(payin, { clientId: true, userId: true })),
    /** Ids of off-ramps and pay-ins that are left out because they cannot be read. */
    unreadable: z.optional(z.array(z.string())),
    /** The last record of this page; absent on the last one. */
    nextAfter: z.optional(z.string()),
  }),
  errors: [clientErrors.USER_NOT_FOUND, apiErrors.SERVICE_UNAVAILABLE],
});

export const eraseUserContract = command({
  name: 'erase-user',
  subject: ['userId'],
  summary:
    'Erases the e-mail address and phone number of a user; the rest is deleted once the law no longer requires it. In two steps, a minute apart: the first one ends new orders, and can be undone.',
  input: z.strictObject({
    userId: id,
    /** Undoes the first step, because the request was withdrawn or concerned another user. */
    undo: z.optional(z.literal(true)),
  }),
  answer: z.object({
    userId: id,
    /** OPEN: the user may order. CLOSED: no new orders; the same command erases the data from `eraseFrom` on. */
    status: z.enum(['OPEN', 'CLOSED', 'ERASED']),
    eraseFrom: z.optional(instant),
    awaits: z.optional(awaitedStep),
    erasedAt: user.shape.erasedAt,
    /** When the data that the law requires to be kept are deleted. */
    restGoesAt: z.optional(instant),
  }),
  errors: [
    clientErrors.USER_NOT_FOUND,
    clientErrors.USER_ERASED,
    personErrors.USER_HAS_OPEN_BUSINESS,
    apiErrors.SERVICE_UNAVAILABLE,
  ],
});
