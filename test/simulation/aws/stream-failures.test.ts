import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { DIED, DONE, THREW, THROTTLED } from './test-host.ts';
import { createStream, IDS, ONE_LANE } from './test-stream.ts';

describe('a batch that the function cannot handle', () => {
  test.each([
    ['throws', THREW],
    ['dies', DIED],
  ])('is split in two where the function %s, until what is broken is alone', async (_, outcome) => {
    const { write, handled, failed, run } = createStream({
      ...ONE_LANE,
      answer: (batch) => (batch.includes('d1') ? outcome : DONE),
    });
    write(IDS);
    await run();
    expect(handled().filter((one) => one === 'd1').length).toBeGreaterThanOrEqual(6);
    expect(new Set(handled())).toEqual(new Set(IDS.map((id) => `${id}1`)));
    expect(failed).toHaveLength(1);
    expect(handled().indexOf('t1')).toBeGreaterThan(handled().lastIndexOf('d1'));
  });

  test('is given up after six tries of one record, with a message that says where it was and not what', async () => {
    const { write, fn, failed, run } = createStream({ answer: () => THREW });
    write(['a']);
    await run();
    expect(fn.calls).toHaveLength(6);
    const [message] = failed;
    expect(message?.queue).toBe('Unhandled');
    expect(JSON.parse(message?.body ?? '')).toMatchObject({
      requestContext: { condition: 'RetryAttemptsExhausted', approximateInvokeCount: 6 },
      DDBStreamBatchInfo: {
        batchSize: 1,
        startSequenceNumber: expect.any(String),
        endSequenceNumber: expect.any(String),
      },
    });
    expect(message?.body).not.toContain('NewImage');
  });

  test('is tried again as a whole where it is not to be split', async () => {
    const { write, fn, failed, run } = createStream({
      ...ONE_LANE,
      shape: { ...ONE_LANE.shape, bisects: false, retries: 1 },
      answer: (batch) => (batch.includes('d1') ? THREW : DONE),
    });
    write(IDS);
    await run();
    const batches = fn.calls.filter(({ event }) => event.includes('d1'));
    expect(batches).toHaveLength(2);
    expect(batches[0]?.event).toEqual(batches[1]?.event);
    expect(JSON.parse(failed[0]?.body ?? '')).toMatchObject({
      DDBStreamBatchInfo: { batchSize: batches[0]?.event.length },
    });
  });

  test('is tried until its records are too old where it is throttled, however often that is', async () => {
    const { write, fn, failed, run } = createStream({ answer: () => THROTTLED });
    write(['a']);
    await run();
    expect(fn.calls.length).toBeGreaterThan(50);
    expect(JSON.parse(failed[0]?.body ?? '')).toMatchObject({ requestContext: { condition: 'RecordAgeExceeded' } });
    expect(failed[0]?.at).toBeGreaterThan(3600);
    expect(failed[0]?.at).toBeLessThan(3700);
  });

  test('stays whole where it is throttled, and is handled when it no longer is', async () => {
    const { write, fn, run } = createStream({ ...ONE_LANE, answer: (_, call) => (call < 6 ? THROTTLED : DONE) });
    write(IDS);
    await run();
    const batches = fn.calls.slice(0, 6).map(({ event }) => event.join());
    expect(batches[0]).toContain(',');
    expect(new Set(batches).size).toBe(1);
  });

  test('holds up its part of the stream for a minute, and the others not at all', async () => {
    const { host, write, fn, run } = createStream({ answer: (batch) => (batch.includes('a1') ? THREW : DONE) });
    write(IDS, 2);
    await run();
    const lateKeys = new Set(fn.calls.filter(({ at }) => at > 5).flatMap(({ event }) => event.map((one) => one[0])));
    expect(lateKeys).toContain('a');
    expect(lateKeys.size).toBeLessThan(5);
    expect(host.seconds()).toBeLessThan(300);
  });

  test('is given up when nobody read it for an hour, and gone when nobody read it for a day', async () => {
    const { write, handled, failed, reader, run } = createStream({ faults: { standstill: 0.5 } });
    write(IDS, 20);
    await run();
    const given = failed.map(({ body }) =>
      z.object({ DDBStreamBatchInfo: z.object({ batchSize: z.int() }) }).parse(JSON.parse(body)),
    );
    const discarded = given.reduce((sum, { DDBStreamBatchInfo: { batchSize } }) => sum + batchSize, 0);
    expect(discarded).toBeGreaterThan(0);
    expect(reader.trimmed()).toBeGreaterThan(0);
    expect(handled().length + discarded + reader.trimmed()).toBe(400);
    expect(failed.every(({ body }) => body.includes('RecordAgeExceeded'))).toBe(true);
  });
});
