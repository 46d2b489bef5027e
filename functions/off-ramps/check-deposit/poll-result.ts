import type { PollOutcome } from '#shared/off-ramps/contract/hash-poll-contract.ts';
import type { AttemptInput, VerificationReason } from '#shared/off-ramps/model/verification.ts';

/** The state machine branches on it, and finance operations read it in the execution's output. */
export interface PollResult extends AttemptInput {
  /** Running executions keep their definition: with a changed word they would end as superseded. */
  readonly outcome: PollOutcome;
  /** The result in words. */
  readonly why: string;
  readonly reason?: VerificationReason;
  readonly lastCheckedAt: string;
  readonly nextCheckAt?: string;
}
