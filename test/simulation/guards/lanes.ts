import { Worker } from 'node:worker_threads';
import type { Topology } from '#test/simulation/topology/topology.ts';
import type { Play } from './base.ts';
import type { Outcome } from './play-without.ts';
import type { Setting, Task } from './worker.ts';

interface Lanes extends AsyncDisposable {
  readonly play: Play;
}

/** Two threads, which answer their tasks in order. More would have nothing to do when rounds are tried one after another. */
const LANES = 2;

/** Plays rounds of a seed beside one another. */
export function createLanes(topology: Topology, seed: number): Lanes {
  const lanes = Array.from({ length: LANES }, () => createLane({ topology, seed }));
  return {
    play: (round, without) => {
      const lane = lanes[round % LANES];
      if (lane === undefined) throw new Error('There are no lanes.');
      return lane.play({ round, without });
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(lanes.map((lane) => lane.end()));
    },
  };
}

function createLane(workerData: Setting) {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData });
  const waiting: PromiseWithResolvers<Outcome>[] = [];
  worker.on('message', (outcome: Outcome) => waiting.shift()?.resolve(outcome));
  worker.on('error', (error) => {
    for (const { reject } of waiting) reject(error);
  });
  return {
    play(task: Task): Promise<Outcome> {
      const outcome = Promise.withResolvers<Outcome>();
      waiting.push(outcome);
      worker.postMessage(task);
      return outcome.promise;
    },
    end: () => worker.terminate(),
  };
}
