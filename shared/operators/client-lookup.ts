import * as z from 'zod/mini';
import { ofClient } from '#shared/clients/client-commands.ts';
import { clientAnswer } from '#shared/clients/client-contract.ts';
import { clientErrors } from '#shared/clients/client-errors.ts';
import { dailyLimits } from '#shared/clients/daily-allowances.ts';
import { wallet } from '#shared/clients/user-commands.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { lookup } from '#shared/platform/http/command.ts';
import { id, instant } from '#shared/platform/http/fields.ts';
import { changeLine } from './audit-records.ts';

export const readClientContract = lookup({
  name: 'client',
  summary: 'A client: its profile, its approval, how many secrets it has, and who changed it.',
  query: ofClient,
  answer: z.extend(clientAnswer, {
    liveSecrets: z.int(),
    /** Until when the secret before the newest is good; absent when there is none. */
    previousSecretUntil: z.optional(instant),
    /** Its limits of a day that an operator has set. */
    dailyLimits: z.optional(dailyLimits),
    /** Events of compliance that were applied to it, the newest first. */
    resultIds: z.array(z.string()),
    /** Subjects of its certificates, of which one has to come with its calls; absent when any will do. */
    certificateSubjects: z.optional(z.array(z.string())),
    /** What operators changed of it. */
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
    /** The last client of the page before. */
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
    /** What the next page comes after. */
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
    wallets: z.array(wallet),
    /** What operators changed of it, and of its wallets. */
    changes: z.array(changeLine),
  }),
  errors: [clientErrors.USER_NOT_FOUND],
});

export const listUsersContract = lookup({
  name: 'users',
  summary: 'The users of a client, by their ids, with their names.',
  query: z.strictObject({
    clientId: id,
    /** The last user of the page before. */
    after: z.optional(id),
  }),
  answer: z.object({
    items: z.array(z.object({ userId: id, fullName: z.optional(z.string()) })),
    nextAfter: z.optional(id),
  }),
  errors: [apiErrors.NOT_FOUND, apiErrors.SERVICE_UNAVAILABLE],
});
