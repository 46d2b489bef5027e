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

/** The first simulation project that runs reads the templates, for all of them. */
export default function setup(project: TestProject): void {
  if ('topology' in project.getProvidedContext()) return;
  const { vitest } = project;
  const seed = seedOfTheDay();
  process.stdout.write(`The simulation has the seed ${seed} today: npm run simulate -- --seed ${seed}\n`);
  vitest.provide('seed', seed);
  vitest.provide('topology', readTopology(synthesiseStaging()));
}
