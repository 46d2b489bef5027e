import * as z from 'zod/mini';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { command } from '#shared/platform/http/command.ts';

export const redriveDeadLettersContract = command({
  name: 'redrive-dead-letters',
  subject: ['queue'],
  summary: 'Moves all dead letters of a queue back to it: fix their cause first.',
  /** The queue's name, as `dead-letters` shows it. */
  input: z.strictObject({ queue: z.string().check(z.trim(), z.minLength(1), z.maxLength(255)) }),
  /** RUNNING: the messages are already being moved; this command started nothing. */
  answer: z.object({ queue: z.string(), task: z.enum(['STARTED', 'RUNNING']) }),
  errors: [apiErrors.NOT_FOUND],
});
