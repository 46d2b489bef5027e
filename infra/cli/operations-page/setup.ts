import * as z from 'zod/mini';
import { machine } from './state-graph.ts';

/** What the page has to know before it asks for anything. */
export const setup = z.object({
  /** Whose data it shows: `prod`. */
  service: z.string(),
  /** The options with which the command line calls the same service: `--stage prod`. */
  options: z.string(),
  /** Look-ups that need no arguments. */
  lists: z.array(z.object({ name: z.string(), summary: z.string() })),
  /** The state machine of verifications. */
  verification: machine,
});

export type Setup = z.infer<typeof setup>;
