import * as z from 'zod/mini';
import { command } from '#shared/platform/http/command.ts';
import { contradiction, offRamp } from './off-ramp.ts';

export const resolveContradiction = command({
  name: 'resolve-contradiction',
  summary:
    'Says whether an off-ramp was paid out, of which its status and another service say different things: from then on its deposit may not be given back, or may.',
  input: z.object({
    ...z.pick(offRamp, { operationId: true }).shape,
    outcome: z.enum(['paid', 'not-paid']),
    /** That of the off-ramp as whoever decides has seen it. */
    sequence: z.string().check(z.trim(), z.regex(/^[1-9]\d{0,8}$/)),
  }),
  answer: z.object({
    ...z.pick(offRamp, { operationId: true, status: true, sequence: true, paidOut: true }).shape,
    /** All that were said until now. */
    contradictions: z.array(contradiction),
  }),
  errors: ['OFF_RAMP_NOT_FOUND', 'OPERATION_STATUS_CONFLICT', 'SERVICE_UNAVAILABLE'],
});
