import * as z from 'zod/mini';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { command } from '#shared/platform/http/command.ts';

export const redriveDeadLettersContract = command({
  name: 'redrive-dead-letters',
  subject: ['queue'],
  summary: 'Moves all dead letters of a queue back to it: fix their cause first.',
  /** As `dead-letters` names it. */
  input: z.strictObject({ queue: z.string().check(z.trim(), z.minLength(1), z.maxLength(255)) }),
  /** RUNNING: they are being moved already, and this has started nothing. */
  answer: z.object({ queue: z.string(), task: z.enum(['STARTED', 'RUNNING']) }),
  errors: [apiErrors.NOT_FOUND],
});
