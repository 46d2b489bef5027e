import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { deployed } from '#test/simulation/service/deployed.ts';
import type { Topology } from '#test/simulation/topology/topology.ts';
import { textOf } from './failure.ts';
import { commandOf, playRound, type RoundNumber } from './round.ts';
import type { Summary } from './summary.ts';

/** A worker's share: every `step`-th round of a seed, beginning with `from`. */
export interface Work {
  readonly topology: Topology;
  readonly seed: number;
  readonly from: number;
  readonly step: number;
  readonly restores: boolean;
}

/** A worker's result of one round. */
export type Message =
  | { readonly summary: Summary }
  /** Why the round failed, and the command that plays it again. */
  | { readonly failure: string };

// Everything else on the machine comes first. On Linux the priority applies to this thread alone.
setPriority(constants.priority.PRIORITY_LOW);

const { topology, seed, from, step, restores }: Work = workerData;
const service = await deployed(topology);

for (let round = from; ; round += step) {
  parentPort?.postMessage(await tried({ seed, round, restores }));
  // Lets messages of the main thread, such as its stop, in between two rounds.
  await new Promise(setImmediate);
}

async function tried(number: RoundNumber): Promise<Message> {
  try {
    return { summary: { ...(await playRound(service, number)), rounds: 1 } };
  } catch (error) {
    return { failure: `${textOf(error)}\n${commandOf(number)}` };
  }
}
