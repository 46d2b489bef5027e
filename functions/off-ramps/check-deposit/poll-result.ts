import type { PollOutcome } from '#shared/off-ramps/contract/hash-poll-contract.ts';
import type { AttemptInput, VerificationReason } from '#shared/off-ramps/model/verification.ts';

/** What the state machine branches on, and what finance operations read in the execution's output. */
export interface PollResult extends AttemptInput {
  /** An execution keeps the definition that it was started with: a word that changes ends those that run as superseded. */
  readonly outcome: PollOutcome;
  /** In words. */
  readonly why: string;
  readonly reason?: VerificationReason;
  readonly lastCheckedAt: string;
  readonly nextCheckAt?: string;
}
