import type { TestProject } from 'vitest/node';
import { seedOfTheDay } from './run/seed-of-the-day.ts';
import { readTopology } from './topology/read-topology.ts';
import { synthesiseStaging } from './topology/synthesise.ts';
import type { Topology } from './topology/topology.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly topology: Topology;
    readonly seed: number;
  }
}

export default function setup({ provide }: TestProject): void {
  const seed = seedOfTheDay();
  process.stdout.write(`The simulation has the seed ${seed} today: npm run simulate -- --seed ${seed}\n`);
  provide('seed', seed);
  provide('topology', readTopology(synthesiseStaging()));
}
