import * as z from 'zod/mini';
import type { StreamConsumer } from '#test/simulation/topology/topology.ts';
import type { Invocation } from './host.ts';
import { createStreamConsumer } from './stream-consumer.ts';
import { createTestFunction, createTestHost, DONE } from './test-host.ts';

export const NO_STREAM_FAULTS = { repeat: 0, standstill: 0 };

const shape: StreamConsumer = {
  table: 'things',
  folder: 'things/publish',
  batchSize: 10,
  parallelization: 10,
  bisects: true,
  retries: 5,
  maxAgeSeconds: 3600,
  onFailure: 'Unhandled',
  filters: [{ eventName: ['INSERT', 'MODIFY'] }],
};

const streamEvent = z.object({
  Records: z.array(
    z.object({
      dynamodb: z.object({
        Keys: z.object({ id: z.object({ S: z.string() }) }),
        NewImage: z.object({ n: z.object({ N: z.string() }) }),
        SequenceNumber: z.string(),
      }),
    }),
  ),
});
type StreamEvent = z.infer<typeof streamEvent>;

/** `a1` is the first version of the item `a`. */
const named = ({ Records }: StreamEvent) =>
  Records.map(({ dynamodb: { Keys, NewImage } }) => `${Keys.id.S}${NewImage.n.N}`);

interface Options {
  readonly seed?: number;
  readonly shape?: Partial<StreamConsumer>;
  readonly faults?: Partial<typeof NO_STREAM_FAULTS>;
  readonly takesSeconds?: number;
  readonly answer?: (event: readonly string[], call: number) => Invocation;
}

/** The stream of a table, and a function that gets its records. */
export function createStream({ seed = 1, shape: other, faults, takesSeconds, answer = () => DONE }: Options = {}) {
  const host = createTestHost(seed);
  const fn = createTestFunction(host, (event) => named(streamEvent.parse(event)), answer, takesSeconds);
  const failed: { at: number; queue: string; body: string }[] = [];
  const queues = { send: (queue: string, body: string) => void failed.push({ at: host.seconds(), queue, body }) };
  const reader = createStreamConsumer(host, { ...shape, ...other }, fn.invoke, queues, {
    ...NO_STREAM_FAULTS,
    ...faults,
  });
  return {
    host,
    reader,
    fn,
    failed,
    handled: () => fn.calls.flatMap(({ event }) => event),
    /** Writes the versions of each item, one after another. */
    write(ids: readonly string[], versions = 1) {
      for (let n = 1; n <= versions; n += 1) {
        for (const id of ids) {
          const image = (version: number) => ({ id: { S: id }, n: { N: String(version) } });
          const before = n === 1 ? undefined : image(n - 1);
          reader.onChange({ table: 'things', key: { id: { S: id } }, before, after: image(n) });
        }
      }
    },
    run: () => host.schedule.run(),
  };
}

export const IDS = [...'abcdefghijklmnopqrst'];
/** One part, so that all records meet in batches. */
export const ONE_LANE = { seed: 1, shape: { parallelization: 0.25 } };
