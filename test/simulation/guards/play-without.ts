import type { Deployed } from '#test/simulation/aws/aws-in-memory.ts';
import { kindOf } from '#test/simulation/run/failure.ts';
import { playRound, type RoundNumber, type Watchers } from '#test/simulation/run/round.ts';
import { total } from '#test/simulation/run/summary.ts';
import { type Guard, guardOf, guardOfSweep } from './guard.ts';

/** What came of a round in which guards were taken away. */
export interface Outcome {
  /** The rule that did not hold, or what else went wrong. */
  readonly rule: string | undefined;
  /** Off-ramps that were created, where every rule held. */
  readonly offRamps: number;
  readonly met: readonly Guard[];
  /** Names of conditions that refused a write, and of sweeps that were called because something was due. */
  readonly needed: readonly string[];
}

/** Plays a round without the guards of these names: conditions refuse nothing, sweeps are not called. */
export async function playWithout(
  deployed: Deployed,
  number: RoundNumber,
  without: readonly string[],
): Promise<Outcome> {
  const met = new Map<string, Guard>();
  const needed = new Set<string>();
  const isWithout = (guard: Guard, isNeeded: boolean) => {
    met.set(guard.name, guard);
    if (isNeeded) needed.add(guard.name);
    return without.includes(guard.name);
  };
  const watchers: Watchers = {
    isWaived: (write, condition, transaction, holds) => isWithout(guardOf(write, condition, transaction), !holds),
    isLeftOut: (folder) => isWithout(guardOfSweep(folder), true),
  };
  const ended = await playRound(deployed, number, watchers).then(
    (played) => ({ rule: undefined, offRamps: total(played.offRamps) }),
    (error: unknown) => ({ rule: kindOf(error), offRamps: 0 }),
  );
  return { ...ended, met: [...met.values()], needed: [...needed] };
}
