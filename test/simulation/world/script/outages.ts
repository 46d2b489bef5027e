import { breakable, type Outage } from '#test/simulation/world/outages.ts';
import { HOUR, MINUTE, SECOND, START } from './moments.ts';
import type { OffRampContext } from './off-ramps.ts';

/** Up to two parts are out for a while, mostly a short one. */
export function writeOutages({ random, swarm, beginnings, moment }: OffRampContext): readonly Outage[] {
  return [0, 1]
    .filter(() => random.chance(swarm.rounds.outage))
    .map(() => {
      const from = START + random.pick(beginnings) + moment();
      const length = random.below(random.pick([10 * SECOND, 2 * MINUTE, 2 * MINUTE, HOUR]));
      return { of: random.pick<Outage['of']>(breakable), from, until: from + length };
    });
}

/** Functions are replaced while others are at work. */
export function writeDeployments({ random, swarm, beginnings, moment }: OffRampContext): readonly number[] {
  return random.chance(swarm.rounds.deployment) ? [START + random.pick(beginnings) + moment()] : [];
}
