import { keysOf } from '#shared/platform/collections.ts';
import { deeds } from '#test/simulation/world/hostile/deeds.ts';
import { MINUTE } from './moments.ts';
import type { OffRampContext } from './off-ramps.ts';
import type { DeedScript, OffRampScript } from './script.ts';

/** What hostile clients try on the off-ramps of others. */
export function writeDeeds(
  { random, clients, moment }: OffRampContext,
  offRamps: readonly OffRampScript[],
): readonly DeedScript[] {
  return clients
    .filter(({ isHostile }) => isHostile)
    .flatMap(({ clientId }) => {
      const victims = offRamps.filter((offRamp) => offRamp.clientId !== clientId);
      return victims.slice(0, 4).map(({ name, at }) => ({
        at: at + moment() + random.below(MINUTE),
        clientId,
        deed: random.pick(['READ_OPERATION', ...keysOf(deeds)]),
        victim: name,
      }));
    });
}
