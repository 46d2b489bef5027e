import * as z from 'zod/mini';
import { instant } from '#shared/platform/http/fields.ts';

/**
 * Who acts next. SERVICE acts automatically; PAYOUTS and COMPLIANCE are services that report by an event; FINANCE are
 * people.
 */
const actor = z.enum(['CLIENT', 'USER', 'CUSTODIAN', 'FINANCE', 'PAYOUTS', 'COMPLIANCE', 'SERVICE', 'NOBODY']);

/** What happens next, and who does it. */
export const nextStep = z.object({
  who: actor,
  what: z.string(),
  /** The time of the service's next poll. */
  at: z.optional(instant),
});

export type NextStep = Readonly<z.infer<typeof nextStep>>;
