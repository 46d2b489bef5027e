import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { describe, expect, test } from 'vitest';
import type { Invocation } from './host.ts';
import { createTestFunction, createTestHost, DIED, DONE, START, THREW, THROTTLED } from './test-host.ts';
import { createTestQueues, createWork, numbered } from './test-work.ts';

const failures = (...ids: readonly string[]): Invocation => ({
  state: 'DONE',
  value: { batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })) },
});

describe('the consumer of a queue', () => {
  test('gives the function what Lambda does', async () => {
    const host = createTestHost();
    const fn = createTestFunction(host, (event) => event);
    createTestQueues(host, fn.invoke).send('Work', 'body');
    await host.schedule.run();
    const record = {
      messageId: 'message-1',
      receiptHandle: expect.any(String),
      body: 'body',
      attributes: { ApproximateReceiveCount: '1', SentTimestamp: String(START) },
      messageAttributes: {},
      eventSource: 'aws:sqs',
      eventSourceARN: 'arn:aws:sqs:in-memory-1:000000000000:Work',
      awsRegion: 'in-memory-1',
    };
    expect(fn.calls.map(({ event }) => event)).toEqual([{ Records: [record] }]);
  });

  test('gives the function batches of up to its size', async () => {
    const { fn, handled, sendAll, run } = createWork({ consumer: { batchSize: 5 } });
    sendAll(100);
    await run();
    const sizes = new Set(fn.calls.map(({ event }) => event.Records.length));
    expect([...sizes].toSorted()).toEqual([1, 2, 3, 4, 5]);
    expect(handled().toSorted()).toEqual(numbered(100).toSorted());
  });

  test('makes no more calls at the same time than it may, and as many', async () => {
    const { fn, handled, sendAll, run } = createWork({ consumer: { maxConcurrency: 4 }, takesSeconds: 3 });
    sendAll(30);
    await run();
    expect(fn.mostAtOnce()).toBe(4);
    expect(handled()).toHaveLength(30);
  });

  test('asks again when SQS refuses to hand out or to delete, and handles what was not deleted in time again', async () => {
    const { queues, handled, times, sendAll, run } = createWork({
      queue: { visibilitySeconds: 2, deadLetters: { queue: 'Dead', maxReceives: 50 } },
      faults: { refusal: 0.5 },
    });
    sendAll(50);
    await run();
    expect(new Set(handled()).size).toBe(50);
    expect(handled().length).toBeGreaterThan(50);
    expect(Math.max(...times())).toBeGreaterThan(5);
    expect(queues.messages('Work')).toEqual([]);
  });

  test('takes a message hours late when nobody looks into the queue', async () => {
    const { times, sendAll, run } = createWork({ faults: { standstill: 1 } });
    sendAll(10);
    await run();
    expect(times()).toHaveLength(10);
    expect(Math.max(...times())).toBeGreaterThan(6 * 3600);
    expect(Math.max(...times())).toBeLessThanOrEqual(12 * 3600);
  });

  test('returns those messages of a batch that the function calls failed, and no others', async () => {
    const { queues, handled, sendAll, run } = createWork({
      consumer: { batchSize: 10 },
      answer: ({ Records }) =>
        failures(...Records.filter(({ body }) => body === 'm3').map(({ messageId }) => messageId)),
    });
    sendAll(10);
    await run();
    expect(handled().toSorted()).toEqual([...numbered(10), 'm3', 'm3'].toSorted());
    expect(queues.deadLetters('Work')).toEqual(['m3']);
  });

  const wholeBatches: readonly [string, Invocation][] = [
    ['throws', THREW],
    ['dies', DIED],
    ['names an unknown message', failures('stranger')],
    ['names a message by an empty text', failures('')],
    ['answers with another key', { state: 'DONE', value: { batchItemFailures: [{ messageId: 'message-1' }] } }],
    ['answers with a text', { state: 'DONE', value: 'failed' }],
  ];
  test.each(wholeBatches)('returns the whole batch when the function %s', async (_, outcome) => {
    const { queues, sendAll, run } = createWork({ consumer: { batchSize: 10 }, answer: () => outcome });
    sendAll(10);
    await run();
    expect(queues.deadLetters('Work').toSorted()).toEqual(numbered(10).toSorted());
  });

  const successes: readonly [string, unknown][] = [
    ['nothing', undefined],
    ['null', null],
    ['an empty object', {}],
    ['an empty list', { batchItemFailures: [] }],
    ['null for a list', { batchItemFailures: null }],
  ];
  test.each(successes)('takes %s as success', async (_, value) => {
    const { host, queues, fn, sendAll, run } = createWork({ answer: () => ({ state: 'DONE', value }) });
    sendAll(1);
    await run();
    expect(fn.calls).toHaveLength(1);
    expect(queues.messages('Work')).toEqual([]);
    expect(host.seconds()).toBe(0);
  });

  test('repeats a throttled call until others can receive the message, and counts that as one receive', async () => {
    const { queues, times, sendAll, run } = createWork({ answer: () => THROTTLED });
    sendAll(1);
    await run();
    expect(times().length).toBeGreaterThan(3 * 3);
    for (const receive of [0, 180, 360]) expect(times()).toContain(receive);
    expect(Math.max(...times())).toBeLessThan(540);
    expect(queues.deadLetters('Work')).toEqual(['m0']);
  });

  test('handles a message in the end that was throttled for a while', async () => {
    const { queues, fn, sendAll, run } = createWork({ answer: (_, call) => (call < 4 ? THROTTLED : DONE) });
    sendAll(1);
    await run();
    expect(fn.calls).toHaveLength(4);
    expect([...queues.messages('Work'), ...queues.deadLetters('Work')]).toEqual([]);
  });
});

describe('a function that goes on by messages to its own queue', () => {
  const endless = (allowsRecursion: boolean, most: number) => {
    const work = createWork({
      consumer: { allowsRecursion },
      async answer(_, call) {
        if (call < most) await work.queues.answer(new SendMessageCommand({ QueueUrl: 'Work', MessageBody: 'go on' }));
        return DONE;
      },
    });
    return work;
  };

  test('is stopped by AWS after 16 calls, and its last message is a dead letter', async () => {
    const { host, queues, fn, run } = endless(false, 100);
    queues.send('Work', 'begin');
    await run();
    expect(fn.calls).toHaveLength(16);
    expect(queues.deadLetters('Work')).toEqual(['go on']);
    expect(queues.stopped()).toEqual(['work/do']);
    expect(host.seconds()).toBe(0);
  });

  test('goes on when the function allows recursion', async () => {
    const { queues, fn, run } = endless(true, 100);
    queues.send('Work', 'begin');
    await run();
    expect(fn.calls).toHaveLength(100);
    expect(queues.stopped()).toEqual([]);
  });

  test('is not stopped for messages that others send', async () => {
    const { fn, sendAll, run } = createWork();
    sendAll(40);
    await run();
    expect(fn.calls).toHaveLength(40);
  });
});
