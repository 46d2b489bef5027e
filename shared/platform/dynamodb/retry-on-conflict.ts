import { isThrottled } from '#shared/platform/aws/transient-error.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { retry } from '#shared/platform/retry.ts';
import { Unavailable } from '#shared/platform/unavailable.ts';
import { WriteConflict } from './transaction.ts';

/** Milliseconds. */
const TIME_LIMIT = 3000;
const LONGEST_PAUSE = 250;

/** Other writers have won for longer than a call can wait, or the table was throttled; nothing was written. */
export class ConflictPersists extends Unavailable {
  override readonly name = 'ConflictPersists';

  /** A client's calls are in each other's way (decisions.md 10, Conflicts); a throttled table is everybody's. */
  override get declinedFor() {
    return isThrottled(this.message) ? undefined : 'CONFLICT_PERSISTS';
  }
}

/**
 * Runs a decision that reads, decides and writes conditionally, and runs it again with a jittered pause while others
 * win the write, for up to 3 seconds (decisions.md 4, Writing an operation).
 *
 * @throws {ConflictPersists} when the conflict lasts longer; nothing was written.
 */
export async function retryOnConflict<T>(clock: Clock, decide: () => Promise<T>): Promise<T> {
  try {
    return await retry(decide, {
      clock,
      when: (error) => error instanceof WriteConflict,
      pause: () => 10 + clock.random() * LONGEST_PAUSE,
      timeLimit: TIME_LIMIT,
    });
  } catch (error) {
    throw error instanceof WriteConflict ? new ConflictPersists(error.message, { cause: error }) : error;
  }
}
