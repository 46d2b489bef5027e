import { on } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { deployed } from '#test/simulation/service/deployed.ts';
import type { Topology } from '#test/simulation/topology/topology.ts';
import { playWithout } from './play-without.ts';

export interface Setting {
  readonly topology: Topology;
  readonly seed: number;
}

export interface Task {
  readonly round: number;
  readonly without: readonly string[];
}

const { topology, seed }: Setting = workerData;
const port = parentPort;
if (port === null) throw new Error('This is the work of a thread.');
const service = await deployed(topology);

for await (const messages of on(port, 'message')) {
  const { round, without }: Task = messages[0];
  port.postMessage(await playWithout(service, { seed, round }, without));
}
