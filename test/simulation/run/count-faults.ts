import type { Random } from '#test/simulation/kernel/random.ts';
import type { Swarm } from '#test/simulation/world/swarm.ts';

/**
 * Counts which faults happened. A part reads a fault's probability from its record and draws it at once, so the last
 * probability that was read names the fault.
 *
 * @param onFault called with each fault that happens
 */
export function countFaults(swarm: Swarm, random: Random, onFault: (fault: string) => void) {
  const counts = new Map<string, number>();
  const parts = new Set<string>();
  let last = { part: '', fault: '', probability: -1 };
  const none = last;

  /** Returns the record with getters that note each read. */
  function counted(part: string, record: object): object {
    const counting = {};
    for (const [name, initial] of Object.entries(record)) {
      const read = { part, fault: `${part}: ${name}`, probability: Number(initial) };
      Object.defineProperty(counting, name, {
        enumerable: true,
        get() {
          last = read;
          return read.probability;
        },
        set(probability: number) {
          read.probability = probability;
        },
      });
    }
    return counting;
  }

  function chance(probability: number): boolean {
    const { part, fault, probability: asked } = last;
    last = none;
    const happens = random.chance(probability);
    if (happens && probability === asked) {
      counts.set(fault, (counts.get(fault) ?? 0) + 1);
      parts.add(part);
      onFault(fault);
    }
    return happens;
  }

  const countedParts = Object.entries(swarm).map(([part, record]) => [part, counted(part, record)] as const);
  return {
    swarm: Object.assign({ ...swarm }, Object.fromEntries(countedParts)),
    random: { ...random, chance },
    counts,
    hasFailed: (part: keyof Swarm) => parts.has(part),
  };
}
