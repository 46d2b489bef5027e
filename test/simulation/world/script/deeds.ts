import { keysOf } from '#shared/platform/collections.ts';
import { deeds } from '#test/simulation/world/hostile/deeds.ts';
import { MINUTE } from './moments.ts';
import type { OffRampContext } from './off-ramps.ts';
import type { DeedScript, OffRampScript } from './script.ts';

/** Writes what hostile clients try on other clients' off-ramps. */
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
