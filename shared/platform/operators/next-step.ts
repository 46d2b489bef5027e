import * as z from 'zod/mini';
import { instant } from '#shared/platform/http/fields.ts';

/** What happens next, and which of the actors does it. */
export function nextStepBy<Who extends string>(actors: readonly [Who, ...Who[]]) {
  return z.object({
    who: z.enum(actors),
    what: z.string(),
    /** The time of the service's next poll. */
    at: z.optional(instant),
  });
}
