import { type Failure, firstFailure } from '../rounds.ts';
import { nameOf } from './name-of.ts';

interface Rounds {
  readonly seed: number;
  readonly from?: number;
  readonly rounds: number;
}

/** The first round that fails when these conditions are taken away. */
export function firstFailureWithout(conditions: readonly string[], rounds: Rounds): Promise<Failure | undefined> {
  return firstFailure(rounds, {
    isWaived: (write, condition, transaction) => conditions.includes(nameOf(write, condition, transaction)),
  });
}

/** The names of all conditions that are met in so many rounds. */
export async function conditionsMet(rounds: Rounds): Promise<readonly string[]> {
  const met = new Set<string>();
  await firstFailure(rounds, {
    isWaived: (write, condition, transaction) => {
      met.add(nameOf(write, condition, transaction));
      return false;
    },
  });
  return [...met].toSorted();
}
