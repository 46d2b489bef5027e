import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Topology } from '#test/simulation/topology/topology.ts';
import { added, NOTHING, type Summary, total } from './summary.ts';
import type { Message, Work } from './worker.ts';

export interface Course {
  readonly summary: Summary;
  /** For each failed round: the rule that broke, and the command that plays it again. */
  readonly failures: readonly string[];
}

interface Wanted {
  readonly topology: Topology;
  readonly seed: number;
  readonly from: number;
  /** Rounds are played until this many off-ramps were created. */
  readonly offRamps: number;
  /** The run ends after this many failed rounds. */
  readonly mostFailures: number;
  /** True if tables are restored to an earlier second in each round. */
  readonly restores?: boolean;
  /** Called about once a second with the results so far. */
  readonly progress: (course: Course) => void;
}

/** Plays rounds on all processors. */
export async function playMany({
  topology,
  seed,
  from,
  offRamps,
  mostFailures,
  progress,
  restores = false,
}: Wanted): Promise<Course> {
  const startedAt = performance.now();
  const failures: string[] = [];
  let lastSecond = 0;
  let summary = NOTHING;
  const course = () => ({ summary, failures });
  const processors = availableParallelism();
  const workers = Array.from({ length: processors }, (_, index) => {
    const work: Work = { topology, seed, from: from + index, step: processors, restores };
    return new Worker(new URL('./worker.ts', import.meta.url), { workerData: work });
  });

  function take(message: Message): boolean {
    if ('failure' in message) failures.push(message.failure);
    else summary = added(summary, message.summary);
    const second = Math.floor((performance.now() - startedAt) / 1000);
    if (second > lastSecond) {
      lastSecond = second;
      progress(course());
    }
    return failures.length >= mostFailures || total(summary.offRamps) >= offRamps;
  }

  try {
    await new Promise<void>((resolve, reject) => {
      for (const worker of workers) {
        worker.on('error', reject);
        worker.on('message', (message: Message) => {
          if (take(message)) resolve();
        });
      }
    });
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  return course();
}
