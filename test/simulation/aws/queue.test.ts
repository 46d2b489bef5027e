import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { describe, expect, test } from 'vitest';
import { DONE, THREW } from './test-host.ts';
import { createWork, DAY, numbered } from './test-work.ts';

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
