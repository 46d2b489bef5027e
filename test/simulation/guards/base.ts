import type { Guard } from './guard.ts';
import type { Outcome } from './play-without.ts';

/** Plays a round without the guards of these names. Several rounds may be played at a time. */
export type Play = (round: number, without: readonly string[]) => Promise<Outcome>;

/** Rounds with all guards, to which those without some are compared. */
export interface Base {
  /** In the order of their names. */
  readonly guards: readonly Guard[];
  readonly rounds: number;
  readonly offRamps: number;
  /** The rounds in which a guard is needed. All others are the same without it. */
  readonly roundsWith: (name: string) => readonly number[];
  /** Off-ramps that were created in all rounds up to this one. */
  readonly offRampsUpTo: (round: number) => number;
}

/** Rounds that are played at a time. */
export const AT_A_TIME = 4;

/** @throws when a rule does not hold with all guards: nothing can be learned before that is mended */
export async function playBase(play: Play, offRamps: number): Promise<Base> {
  const guards = new Map<string, Guard>();
  const neededIn = new Map<string, number[]>();
  const created: number[] = [];

  function take(outcome: Outcome): void {
    const round = created.length;
    if (outcome.rule !== undefined) throw new Error(`Round ${round} fails with all guards: ${outcome.rule}`);
    for (const guard of outcome.met) guards.set(guard.name, guard);
    for (const name of outcome.needed) neededIn.set(name, [...(neededIn.get(name) ?? []), round]);
    created.push((created.at(-1) ?? 0) + outcome.offRamps);
  }

  while ((created.at(-1) ?? 0) < offRamps) {
    const rounds = Array.from({ length: AT_A_TIME }, (_, position) => created.length + position);
    for (const outcome of await Promise.all(rounds.map((round) => play(round, [])))) take(outcome);
  }
  return {
    guards: [...guards.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    rounds: created.length,
    offRamps: created.at(-1) ?? 0,
    roundsWith: (name) => neededIn.get(name) ?? [],
    offRampsUpTo: (round) => created[round] ?? 0,
  };
}
