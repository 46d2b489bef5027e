import * as z from 'zod/mini';
import { network } from '#shared/networks/network.ts';

/** The execution's input, frozen with the attempt. */
export const attemptInput = z.object({
  operationId: z.string(),
  attempt: z.int(),
  network,
  txHash: z.string(),
  windowStartsAt: z.string(),
  windowEndsAt: z.string(),
});

export type Attempt = z.infer<typeof attemptInput>;

/** What the state machine branches on, and what finance operations read in the execution's output. */
export interface PollResult extends Attempt {
  readonly outcome: 'DEPOSIT_VERIFIED' | 'LOOK_AGAIN' | 'WINDOW_ENDED' | 'SUPERSEDED';
  /** In words, for people. */
  readonly why: string;
  readonly reason?: string;
  readonly lastCheckedAt: string;
  readonly nextCheckAt?: string;
}
