import type { Deployed } from '#test/simulation/aws/aws-in-memory.ts';
import { usageOf } from '#test/simulation/cost/estimate.ts';
import { type Course, courses } from '#test/simulation/cost/scripts.ts';

/** One in ten off-ramps has a hash that is never found, and one in two pay-ins is never paid. */
export const SHARES = {
  'off-ramps': { offRamp: 0.9, neverFound: 0.1 },
  'pay-ins': { payIn: 0.5, neverPaid: 0.5 },
} as const satisfies Record<string, Partial<Record<Course, number>>>;

export type Kind = keyof typeof SHARES;

/** A bound: the rate per second that it holds, and what to change before that. */
export interface Bound {
  readonly kind: Kind;
  readonly what: string;
  readonly holds: number;
  readonly change: string;
}

/** What one off-ramp or pay-in takes, on average. */
export interface Load {
  /** Units that the simulation counts: `transition`, `write events`. Adds all whose names begin with `what`. */
  readonly units: (kind: Kind, what: string) => number;
  /** Seconds for which a function, or all of them, is busy. */
  readonly busySeconds: (kind: Kind, folder?: string) => number;
  readonly memoryOf: (folder: string) => number;
}

/** Plays some off-ramps and pay-ins of each course, like `npm run cost`. */
export async function measureLoad(service: Deployed): Promise<Load> {
  const played = new Map<string, ReadonlyMap<string, number>>();
  for (const course of courses) played.set(course, await usageOf(service, course, 1));
  const shapes = new Map(service.topology.functions.map((shape) => [shape.folder, shape]));
  const mixed = (kind: Kind, count: (usage: ReadonlyMap<string, number>) => number) =>
    Object.entries(SHARES[kind]).reduce(
      (sum, [course, share]) => sum + share * count(played.get(course) ?? new Map()),
      0,
    );
  const memoryOf = (folder: string) => shapes.get(folder)?.memoryMegabytes ?? Number.NaN;
  const isOf = (name: string, what: string) =>
    name === what || name.startsWith(`${what} `) || name.startsWith(`${what}.`);
  return {
    memoryOf,
    units: (kind, what) => mixed(kind, (usage) => sumOf(usage, (name) => (isOf(name, what) ? 1 : 0))),
    busySeconds: (kind, folder) =>
      mixed(kind, (usage) =>
        sumOf(usage, (name) => {
          const [unit, of = ''] = name.split(' ');
          return unit === 'gigabyteSecond' && (folder ?? of) === of ? 1024 / memoryOf(of) : 0;
        }),
      ),
  };
}

function sumOf(usage: ReadonlyMap<string, number>, weight: (name: string) => number): number {
  return [...usage].reduce((sum, [name, units]) => sum + weight(name) * units, 0);
}
