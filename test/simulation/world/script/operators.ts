import type { OffRampContext } from './off-ramps.ts';
import type { OffRampScript, OperatorScript, PayinScript } from './script.ts';

/** Writes operators' acts on some off-ramps and pay-ins, at any stage. */
export function writeOperators(
  { random, swarm, moment }: OffRampContext,
  acts: readonly (OffRampScript | PayinScript)[],
): readonly OperatorScript[] {
  const habits = swarm.operators;
  return acts
    .filter(() => random.chance(habits.act))
    .map((act) => ({
      at: act.at + moment() + moment(),
      does:
        'payments' in act
          ? random.pick(['POLL_DEPOSITS', 'RESOLVE', 'ERASE_USER'])
          : random.pick(['POLL_PAYIN', 'END_PAYIN', 'END_PAYIN', 'ERASE_USER']),
      about: act.name,
      isWrong: random.chance(habits.err),
      isTwice: random.chance(habits.hurry),
    }));
}
