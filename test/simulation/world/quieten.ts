import { mapValues } from '#shared/platform/collections.ts';
import type { Swarm } from './swarm.ts';

/**
 * Switches everything off from now on: the parts read these records each time. Only short pages stay, so that pages end
 * where they did.
 */
export function quieten(swarm: Swarm): void {
  const { shortPage } = swarm.reads;
  for (const part of Object.values(swarm))
    Object.assign(
      part,
      mapValues<string, number, number>(part, () => 0),
    );
  Object.assign(swarm.reads, { shortPage });
}
