import * as z from 'zod/mini';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { lookup } from '#shared/platform/http/command.ts';
import { id, instant } from '#shared/platform/http/fields.ts';
import { changeLine } from '#shared/platform/operators/audit-records.ts';
import { clientInput } from './client-commands.ts';
import { clientAnswer } from './client-contract.ts';
import { clientErrors } from './client-errors.ts';
import { dailyLimits } from './daily-allowances.ts';
import { user } from './user.ts';
import { wallet } from './user-commands.ts';

export const readClientContract = lookup({
  name: 'client',
  summary: 'A client: its profile, its approval, how many secrets it has, and who changed it.',
  query: clientInput,
  answer: z.extend(clientAnswer, {
    liveSecrets: z.int(),
    /** Until when the secrets before the newest are valid; absent if there are none. */
    previousSecretUntil: z.optional(instant),
    /** The daily limits that an operator has set. */
    dailyLimits: z.optional(dailyLimits),
    /** The applied events of compliance, newest first. */
    resultIds: z.array(z.string()),
    /** Subjects of its certificates, one of which its calls need; absent if any certificate will do. */
    certificateSubjects: z.optional(z.array(z.string())),
    /** The operators' changes of the client. */
    changes: z.array(changeLine),
  }),
  errors: [apiErrors.NOT_FOUND],
});

export const listClientsContract = lookup({
  name: 'clients',
  summary: 'Clients by name: all, or those with each word, whatever its accents and case.',
  query: z.strictObject({
    /** A part of the trade name or of the name of the business. */
    name: z.optional(z.string().check(z.trim(), z.maxLength(255))),
    /** The last client of the previous page. */
    after: z.optional(id),
  }),
  answer: z.object({
    items: z.array(
      z.object({
        clientId: id,
        ...z.pick(clientAnswer, { tradeName: true, complianceStatus: true, status: true }).shape,
        businessName: clientAnswer.shape.person.shape.businessName,
      }),
    ),
    /** Ids of unreadable items. */
    unreadableIds: z.optional(z.array(z.string())),
    /** The last client of this page. */
    nextAfter: z.optional(id),
  }),
  errors: [apiErrors.SERVICE_UNAVAILABLE],
});

export const readUserContract = lookup({
  name: 'user',
  summary: 'A user: its client, its data for rails, its wallets, and who changed them.',
  query: z.strictObject({ userId: id }),
  answer: z.object({
    userId: id,
    clientId: id,
    payer: z.record(z.string(), z.optional(z.string())),
    /** Since when it gets no new orders, and when its e-mail address and phone number were erased. */
    ...z.pick(user, { closedAt: true, erasedAt: true }).shape,
    wallets: z.array(wallet),
    /** Ids of wallets that are missing because they cannot be read. */
    unreadableWallets: z.optional(z.array(z.string())),
    /** The operators' changes of the user and of its wallets. */
    changes: z.array(changeLine),
  }),
  errors: [clientErrors.USER_NOT_FOUND],
});

export const listUsersAsOperatorContract = lookup({
  name: 'users',
  summary: 'The users of a client, by their ids, with their names.',
  query: z.strictObject({
    clientId: id,
    /** The last user of the previous page. */
    after: z.optional(id),
  }),
  answer: z.object({
    items: z.array(z.object({ userId: id, fullName: z.optional(z.string()) })),
    /** Ids of unreadable items. */
    unreadableIds: z.optional(z.array(z.string())),
    nextAfter: z.optional(id),
  }),
  errors: [apiErrors.NOT_FOUND, apiErrors.SERVICE_UNAVAILABLE],
});
