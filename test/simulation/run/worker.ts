import { parentPort, workerData } from 'node:worker_threads';
import { deployed } from '#test/simulation/service/deployed.ts';
import type { Topology } from '#test/simulation/topology/topology.ts';
import { reasonOf, tryRound } from './rounds.ts';
import { type Summary, summaryOf } from './summary.ts';

/** What a worker is to play: every so many rounds of a seed, from one on. */
export interface Work {
  readonly topology: Topology;
  readonly seed: number;
  readonly from: number;
  readonly step: number;
}

/** What a worker says of each round. */
export type Message =
  | { readonly round: number; readonly summary: Summary }
  | { readonly round: number; readonly reason: string };

const { topology, seed, from, step }: Work = workerData;
const service = await deployed(topology);

for (let round = from; ; round += step) {
  const result = await tryRound(service, { seed, round });
  const message: Message =
    'failure' in result ? { round, reason: reasonOf(result.failure) } : { round, summary: summaryOf(result.played) };
  parentPort?.postMessage(message);
  // What the main thread says, such as that it is enough, comes between two rounds.
  await new Promise(setImmediate);
}
