import * as z from 'zod/mini';
import { instant } from '#shared/platform/http/fields.ts';

/**
 * Who has to act so that it goes on. SERVICE acts by itself; PAYOUTS and COMPLIANCE are the services that say by an event
 * what came of their part; FINANCE are people here.
 */
const actor = z.enum(['CLIENT', 'USER', 'CUSTODIAN', 'FINANCE', 'PAYOUTS', 'COMPLIANCE', 'SERVICE', 'NOBODY']);

/** What happens next, and who does it. */
export const nextStep = z.object({
  who: actor,
  what: z.string(),
  /** When the service looks again by itself. */
  at: z.optional(instant),
});

export type NextStep = Readonly<z.infer<typeof nextStep>>;
