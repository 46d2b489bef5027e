import { type Failure, firstFailure } from '#test/interleavings/rounds.ts';
import type { Watchers } from '#test/interleavings/world/world.ts';
import { nameOf } from './name-of.ts';

interface Rounds {
  readonly seed: number;
  readonly rounds: number;
}

/** In which rounds each condition refuses a write, by its name; in none, it may be, but it was met. */
export type Refusals = ReadonlyMap<string, ReadonlySet<number>>;

export async function refusalsIn({ seed, rounds }: Rounds): Promise<Refusals> {
  const refusals = new Map<string, Set<number>>();
  for (let round = 0; round < rounds; round += 1) {
    await firstFailure(
      { seed, from: round, rounds: 1 },
      {
        isWaived: (write, condition, transaction, holds) => {
          const name = nameOf(write, condition, transaction);
          const known = refusals.get(name) ?? new Set();
          refusals.set(name, holds ? known : known.add(round));
          return false;
        },
      },
    );
  }
  return refusals;
}

/**
 * The first round that fails when these conditions are taken away. Only those are played in which one of them refuses
 * a write: every other round is the same without them.
 */
export async function firstFailureWithout(
  conditions: readonly string[],
  seed: number,
  refusals: Refusals,
): Promise<Failure | undefined> {
  const rounds = new Set(conditions.flatMap((condition) => [...(refusals.get(condition) ?? [])]));
  for (const round of [...rounds].toSorted((one, other) => one - other)) {
    const failure = await firstFailure({ seed, from: round, rounds: 1 }, withoutConditions(conditions));
    if (failure !== undefined) return failure;
  }
  return undefined;
}

export function withoutConditions(conditions: readonly string[]): Watchers {
  return { isWaived: (write, condition, transaction) => conditions.includes(nameOf(write, condition, transaction)) };
}
