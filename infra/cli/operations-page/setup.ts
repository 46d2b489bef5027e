import * as z from 'zod/mini';
import { machine } from './state-graph.ts';

/** The settings that the page reads before its first look-up. */
export const setup = z.object({
  /** The service whose data the page shows: `prod`. */
  service: z.string(),
  /** The options with which the command line calls the same service: `--stage prod`. */
  options: z.string(),
  /** Look-ups that need no arguments. */
  lists: z.array(z.object({ name: z.string(), summary: z.string() })),
  /** The state machine of verifications. */
  verification: machine,
});

export type Setup = z.infer<typeof setup>;
