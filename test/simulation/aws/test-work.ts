import * as z from 'zod/mini';
import type { QueueConsumer, QueueShape } from '#test/simulation/topology/topology.ts';
import type { Invocation, Invoke } from './host.ts';
import { createQueues, type Queues } from './queues.ts';
import { createTestFunction, createTestHost, type TestHost } from './test-host.ts';

const NO_FAULTS = { duplicate: 0, undeleted: 0, standstill: 0, refusal: 0, repeat: 0, loss: 0 };
export const DAY = 24 * 3600;

export const shape: QueueShape = {
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

/** A queue with dead letters, whose messages the function takes. */
export function createTestQueues(
  host: TestHost,
  invoke: Invoke,
  { queue, consumer: mapping, faults }: Pick<Options, 'queue' | 'consumer' | 'faults'> = {},
): Queues {
  const shapes = { queues: [{ ...shape, ...queue }, dead], queueConsumers: [{ ...consumer, ...mapping }] };
  return createQueues(host, shapes, invoke, { ...NO_FAULTS, ...faults });
}

/** The same with a function of the test. */
export function createWork({ seed, takesSeconds, answer, ...options }: Options = {}) {
  const host = createTestHost(seed);
  const fn = createTestFunction(host, (event) => sqsEvent.parse(event), answer, takesSeconds);
  const queues = createTestQueues(host, fn.invoke, options);
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
