import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { deployed } from '#test/simulation/service/deployed.ts';
import type { Topology } from '#test/simulation/topology/topology.ts';
import { textOf } from './failure.ts';
import { commandOf, playRound, type RoundNumber } from './round.ts';
import type { Summary } from './summary.ts';

/** What a worker is to play: every so many rounds of a seed, from one on. */
export interface Work {
  readonly topology: Topology;
  readonly seed: number;
  readonly from: number;
  readonly step: number;
  readonly restores: boolean;
}

/** What a worker says of each round. */
export type Message =
  | { readonly summary: Summary }
  /** Why it failed, and how to play it again. */
  | { readonly failure: string };

// Whatever else the machine does comes first; on Linux that is of this thread alone.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

const { topology, seed, from, step, restores }: Work = workerData;
const service = await deployed(topology);

for (let round = from; ; round += step) {
  parentPort?.postMessage(await tried({ seed, round, restores }));
  // What the main thread says, such as that it is enough, comes between two rounds.
  await new Promise(setImmediate);
}

async function tried(number: RoundNumber): Promise<Message> {
  try {
    return { summary: { ...(await playRound(service, number)), rounds: 1 } };
  } catch (error) {
    return { failure: `${textOf(error)}\n${commandOf(number)}` };
  }
}
