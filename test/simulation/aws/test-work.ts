import * as z from 'zod/mini';
import type { QueueConsumer, QueueShape } from '#test/simulation/topology/topology.ts';
import type { Invocation } from './host.ts';
import { createQueues } from './queues.ts';
import { createTestFunction, createTestHost } from './test-host.ts';

const NO_FAULTS = { duplicate: 0, undeleted: 0, refusal: 0, repeat: 0, loss: 0 };
export const DAY = 24 * 3600;

const shape: QueueShape = {
  name: 'Work',
  visibilitySeconds: 180,
  delaySeconds: 0,
  retentionSeconds: 14 * DAY,
  deadLetters: { queue: 'Dead', maxReceives: 3 },
};
const dead: QueueShape = { name: 'Dead', visibilitySeconds: 30, delaySeconds: 0, retentionSeconds: 14 * DAY };
const consumer: QueueConsumer = {
  queue: 'Work',
  folder: 'work/do',
  allowsRecursion: false,
  batchSize: 1,
  maxConcurrency: 50,
};

const sqsEvent = z.object({ Records: z.array(z.object({ messageId: z.string(), body: z.string() })) });
type SqsEvent = z.infer<typeof sqsEvent>;

interface Options {
  readonly seed?: number;
  readonly queue?: Partial<QueueShape>;
  readonly consumer?: Partial<QueueConsumer>;
  readonly faults?: Partial<typeof NO_FAULTS>;
  readonly takesSeconds?: number;
  readonly answer?: (event: SqsEvent, call: number) => Invocation | Promise<Invocation>;
}

/** A queue with dead letters, and a function that takes its messages. */
export function createWork({ seed, queue, consumer: mapping, faults, takesSeconds, answer }: Options = {}) {
  const host = createTestHost(seed);
  const fn = createTestFunction(host, (event) => sqsEvent.parse(event), answer, takesSeconds);
  const shapes = { queues: [{ ...shape, ...queue }, dead], queueConsumers: [{ ...consumer, ...mapping }] };
  const queues = createQueues(host, shapes, fn.invoke, { ...NO_FAULTS, ...faults });
  return {
    host,
    queues,
    fn,
    /** Bodies, in the order in which the function got them. */
    handled: () => fn.calls.flatMap(({ event }) => event.Records.map(({ body }) => body)),
    times: () => fn.calls.map(({ at }) => at),
    sendAll(count: number) {
      for (const body of numbered(count)) queues.send('Work', body);
    },
    run: () => host.schedule.run(),
  };
}

/** Bodies of so many messages. */
export const numbered = (count: number) => Array.from({ length: count }, (_, index) => `m${index}`);
