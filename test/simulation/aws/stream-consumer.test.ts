import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { topology } from '#test/simulation/topology/topology-of-this-run.ts';
import { createStreamConsumer } from './stream-consumer.ts';
import { createTestFunction, createTestHost } from './test-host.ts';
import { createStream, IDS, NO_STREAM_FAULTS, ONE_LANE } from './test-stream.ts';

describe('the consumer of a stream', () => {
  test('gives the function the records of its table that fit a filter', async () => {
    const { reader, write, handled, run } = createStream();
    write(['a']);
    reader.onChange({ table: 'things', key: { id: { S: 'a' } }, before: { id: { S: 'a' } }, after: undefined });
    reader.onChange({ table: 'others', key: { id: { S: 'b' } }, before: undefined, after: { id: { S: 'b' } } });
    await run();
    expect(handled()).toEqual(['a1']);
  });

  test('keeps the order of each key, and none between keys', async () => {
    const { write, handled, run } = createStream();
    write(IDS, 5);
    await run();
    for (const id of IDS) {
      expect(handled().filter((one) => one.startsWith(id))).toEqual([1, 2, 3, 4, 5].map((n) => `${id}${n}`));
    }
    expect(handled().slice(0, IDS.length)).not.toEqual(IDS.map((id) => `${id}1`));
  });

  test('handles several batches of a shard at the same time, but never two with the same key', async () => {
    const { write, fn, run } = createStream({ takesSeconds: 2 });
    write(IDS, 3);
    await run();
    expect(fn.mostAtOnce()).toBeGreaterThan(3);
    const spans = fn.calls.flatMap(({ at, event }) => event.map((one) => ({ id: one.slice(0, 1), at })));
    for (const { id, at } of spans) {
      const sameTime = spans.filter((other) => other.id === id && Math.abs(other.at - at) < 2 && other.at !== at);
      expect(sameTime).toEqual([]);
    }
  });

  test('reads what is written later, when everything before is read', async () => {
    const { host, write, handled, run } = createStream();
    write(['a']);
    host.schedule.start('test', async () => {
      await host.schedule.clock.sleep(1000);
      write(['a'], 2);
    });
    await run();
    expect(handled()).toEqual(['a1', 'a1', 'a2']);
  });

  test('takes batches of up to its size', async () => {
    const { write, fn, run } = createStream(ONE_LANE);
    write(IDS, 10);
    await run();
    const sizes = fn.calls.map(({ event }) => event.length);
    expect(Math.max(...sizes)).toBe(10);
    expect(Math.min(...sizes)).toBe(1);
  });

  test('gives a batch again by chance, after it was handled or while it is, and loses none', async () => {
    const { write, fn, handled, run } = createStream({ faults: { repeat: 0.5 }, takesSeconds: 1 });
    write(IDS, 3);
    await run();
    expect(handled().length).toBeGreaterThan(70);
    expect(new Set(handled()).size).toBe(60);
    const begun = fn.calls.map(({ at, event }) => `${at} ${event}`);
    expect(new Set(begun).size).toBeLessThan(begun.length);
  });

  test('of this service gets events that are to be published, and not what is written to them later', async () => {
    const [consumer] = topology.streamConsumers;
    const host = createTestHost();
    const fn = createTestFunction(host, (event) => z.object({ Records: z.array(z.unknown()) }).parse(event).Records);
    if (consumer === undefined) throw new Error('There is no consumer of a stream.');
    const { onChange } = createStreamConsumer(host, consumer, fn.invoke, { send: () => {} }, NO_STREAM_FAULTS);
    const key = { eventId: { S: 'e' } };
    const unpublished = { ...key, unpublishedIn: { S: 'shard' } };
    onChange({ table: 'events', key, before: undefined, after: unpublished });
    onChange({ table: 'events', key, before: unpublished, after: key });
    onChange({ table: 'events', key, before: undefined, after: key });
    await host.schedule.run();
    expect(fn.calls.flatMap(({ event }) => event)).toMatchObject([{ dynamodb: { NewImage: unpublished } }]);
  });
});
