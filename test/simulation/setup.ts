import type { TestProject } from 'vitest/node';
import { readTopology } from './topology/read-topology.ts';
import { synthesiseStaging } from './topology/synthesise.ts';
import type { Topology } from './topology/topology.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly topology: Topology;
  }
}

export default function setup({ provide }: TestProject): void {
  provide('topology', readTopology(synthesiseStaging()));
}
