import * as z from 'zod/mini';
import { command } from '#shared/platform/http/command.ts';
import { id, instant } from '#shared/platform/http/fields.ts';
import { deposit } from './deposit.ts';

export const pollDeposit = command({
  name: 'poll-deposit',
  summary: "Asks the custodian for a deposit, by the custodian's id of it, within a minute.",
  input: z.object({ custodianTransferId: z.string().check(z.trim(), z.minLength(1), z.maxLength(255)) }),
  answer: z.object({
    ...z.pick(deposit, { custodianTransferId: true }).shape,
    operationId: z.optional(id),
    nextPollAt: instant,
  }),
  errors: ['NOT_FOUND'],
});
