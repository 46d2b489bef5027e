import type { Clock } from '#shared/runtime/clock.ts';
import { Unavailable } from '#shared/runtime/unavailable.ts';
import { WriteConflict } from './transaction.ts';

const PATIENCE = 3000;
const LONGEST_PAUSE = 250;

/** Others won the write for longer than is worth waiting; nothing was written. */
export class ConflictPersists extends Unavailable {
  override readonly name = 'ConflictPersists';
}

/**
 * Runs a decision that reads, decides and writes conditionally, and runs it again with a jittered pause while others win
 * the write, for up to 3 seconds (decisions.md 4, Writing an operation).
 *
 * @throws {ConflictPersists} when the conflict outlasts the patience; nothing was written.
 */
export async function decideAgain<T>(clock: Clock, decide: () => Promise<T>): Promise<T> {
  const givesUpAt = clock.now().getTime() + PATIENCE;
  for (;;) {
    try {
      return await decide();
    } catch (error) {
      if (!(error instanceof WriteConflict)) throw error;
      if (clock.now().getTime() >= givesUpAt) {
        throw new ConflictPersists(error.message, { cause: error });
      }
      await clock.sleep(10 + clock.random() * LONGEST_PAUSE);
    }
  }
}
