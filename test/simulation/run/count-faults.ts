import type { Random } from '#test/simulation/kernel/random.ts';
import type { Swarm } from '#test/simulation/world/swarm.ts';

/**
 * Counts which faults happened. A part reads the probability of a fault in its record and asks chance about it at once:
 * what was read last is what happens then.
 *
 * @param onFault is told of each
 */
export function countFaults<Faults extends Swarm>(swarm: Faults, random: Random, onFault: (fault: string) => void) {
  const counts = new Map<string, number>();
  let last = { fault: '', probability: -1 };

  const counted = (part: string, record: object) =>
    new Proxy(record, {
      get(target, fault, receiver) {
        const probability: unknown = Reflect.get(target, fault, receiver);
        if (typeof fault === 'string' && typeof probability === 'number') {
          last = { fault: `${part}: ${fault}`, probability };
        }
        return probability;
      },
    });

  function chance(probability: number): boolean {
    const { fault } = last;
    const isAsked = probability === last.probability;
    last = { fault: '', probability: -1 };
    const happens = random.chance(probability);
    if (happens && isAsked) {
      counts.set(fault, (counts.get(fault) ?? 0) + 1);
      onFault(fault);
    }
    return happens;
  }

  const parts = Object.entries(swarm).map(([part, record]) => [part, counted(part, record)] as const);
  return { swarm: Object.assign({ ...swarm }, Object.fromEntries(parts)), random: { ...random, chance }, counts };
}
