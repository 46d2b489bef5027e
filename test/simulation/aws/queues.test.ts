import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { QueueConsumer, QueueShape } from '#test/simulation/topology/topology.ts';
import type { Invocation } from './host.ts';
import { createQueues } from './queues.ts';
import { createTestFunction, createTestHost, DIED, DONE, THREW, THROTTLED } from './test-host.ts';

const NO_FAULTS = { duplicate: 0, undeleted: 0, refusal: 0, repeat: 0, loss: 0 };
const DAY = 24 * 3600;

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
function createWork({ seed, queue, consumer: mapping, faults, takesSeconds, answer }: Options = {}) {
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

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `m${index}`);
const failures = (...ids: readonly string[]): Invocation => ({
  state: 'DONE',
  value: { batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })) },
});

describe('a queue', () => {
  test('hands out each message once and forgets it when the function is done', async () => {
    const { queues, handled, sendAll, run } = createWork();
    sendAll(20);
    await run();
    expect(handled().toSorted()).toEqual(numbered(20).toSorted());
    expect(queues.messages('Work')).toEqual([]);
  });

  test('hands messages out in no order, and in the same one for the same seed', async () => {
    const order = async (seed: number) => {
      const { handled, sendAll, run } = createWork({ seed });
      sendAll(20);
      await run();
      return handled();
    };
    expect(await order(1)).not.toEqual(numbered(20));
    expect(await order(1)).toEqual(await order(1));
    expect(await order(1)).not.toEqual(await order(2));
  });

  test('delays a message for as long as the message says, otherwise for as long as the queue says', async () => {
    const { queues, handled, times, run } = createWork({ queue: { delaySeconds: 5 } });
    queues.send('Work', 'of the queue');
    queues.send('Work', 'its own', 900);
    queues.send('Work', 'none', 0);
    expect(queues.messages('Work')).toHaveLength(3);
    await run();
    expect(handled()).toEqual(['none', 'of the queue', 'its own']);
    expect(times()).toEqual([0, 5, 900]);
  });

  test('hands a message out twice by chance, and then deletes it with the last receive', async () => {
    const { queues, handled, sendAll, run } = createWork({ faults: { duplicate: 0.3 } });
    sendAll(50);
    await run();
    expect(new Set(handled()).size).toBe(50);
    expect(handled().length).toBeGreaterThan(55);
    expect(queues.messages('Work')).toEqual([]);
  });

  test('hands a message that was deleted out again by chance, when its time of invisibility is over', async () => {
    const { handled, times, sendAll, run } = createWork({ faults: { undeleted: 0.3 } });
    sendAll(50);
    await run();
    expect(handled().length).toBeGreaterThan(55);
    expect(Math.max(...times())).toBeGreaterThanOrEqual(180);
  });

  test('gives a message to somebody else when its receiver takes longer than the time of invisibility', async () => {
    const { times, sendAll, run } = createWork({ queue: { visibilitySeconds: 10 }, takesSeconds: 15 });
    sendAll(1);
    await run();
    expect(times().slice(0, 2)).toEqual([0, 10]);
  });

  test('puts a message with the dead letters when it was received as often as allowed', async () => {
    const { queues, times, sendAll, run } = createWork({ answer: () => THREW });
    sendAll(1);
    await run();
    expect(times()).toEqual([0, 180, 360]);
    expect(queues.messages('Work')).toEqual([]);
    expect(queues.deadLetters('Work')).toEqual(['m0']);
    expect(queues.messages('Dead')).toEqual(['m0']);
  });

  test('drops a message that is older than two weeks and counts it; dead letters keep the age of their message', async () => {
    const { host, queues, fn, run } = createWork({ answer: () => THREW });
    host.schedule.start('test', async () => {
      const sleep = (seconds: number) => host.schedule.clock.sleep(seconds * 1000);
      queues.send('Dead', 'first');
      await sleep(14 * DAY - 600);
      queues.send('Work', 'second');
      await sleep(599);
      expect(queues.deadLetters('Work')).toEqual(['first', 'second']);
      await sleep(2);
      expect(queues.deadLetters('Work')).toEqual(['second']);
      expect(queues.expired()).toBe(1);
      await sleep(14 * DAY - 602);
      expect(queues.deadLetters('Work')).toEqual(['second']);
      await sleep(2);
      expect(queues.deadLetters('Work')).toEqual([]);
    });
    await run();
    expect(fn.calls).toHaveLength(3);
    expect(queues.expired()).toBe(2);
  });

  test('hands out no message that became too old while it waited', async () => {
    const { queues, fn, run } = createWork({ queue: { retentionSeconds: 60 } });
    queues.send('Work', 'old', 100);
    queues.send('Work', 'young', 10);
    await run();
    expect(fn.calls.map(({ event }) => event.Records[0]?.body)).toEqual(['young']);
    expect(queues.expired()).toBe(1);
  });

  test('takes dead letters back as new messages when an operator moves them', async () => {
    let isMended = false;
    const { host, queues, fn, sendAll, run } = createWork({ answer: () => (isMended ? DONE : THREW) });
    sendAll(2);
    host.schedule.start('operator', async () => {
      await host.schedule.clock.sleep(3600_000);
      isMended = true;
      queues.redrive('Work');
    });
    await run();
    expect(fn.calls.filter(({ at }) => at >= 3600)).toHaveLength(2);
    expect(queues.deadLetters('Work')).toEqual([]);
  });

  test('lets other groups overtake one that has more than its share in flight', async () => {
    const { host, queues, handled, run } = createWork({ consumer: { maxConcurrency: 40 }, takesSeconds: 10 });
    const send = (group: string, count: number) =>
      numbered(count).map((body) => {
        const command = new SendMessageCommand({ QueueUrl: 'Work', MessageBody: group + body, MessageGroupId: group });
        return queues.answer(command);
      });
    host.schedule.start('test', async () => {
      await Promise.all(send('loud', 400));
      await host.schedule.clock.sleep(1000);
      await Promise.all(send('quiet', 5));
    });
    await run();
    const places = handled().flatMap((body, place) => (body.startsWith('quiet') ? place : []));
    expect(places).toHaveLength(5);
    expect(Math.max(...places)).toBeLessThan(50);
  });
});

describe('the consumer of a queue', () => {
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
    const { queues, fn, sendAll, run } = createWork({ answer: () => ({ state: 'DONE', value }) });
    sendAll(1);
    await run();
    expect(fn.calls).toHaveLength(1);
    expect(queues.messages('Work')).toEqual([]);
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
    const { queues, fn, run } = endless(false, 100);
    queues.send('Work', 'begin');
    await run();
    expect(fn.calls).toHaveLength(16);
    expect(queues.deadLetters('Work')).toEqual(['go on']);
  });

  test('goes on when the function allows recursion', async () => {
    const { queues, fn, run } = endless(true, 100);
    queues.send('Work', 'begin');
    await run();
    expect(fn.calls).toHaveLength(100);
  });

  test('is not stopped for messages that others send', async () => {
    const { fn, sendAll, run } = createWork();
    sendAll(40);
    await run();
    expect(fn.calls).toHaveLength(40);
  });
});
