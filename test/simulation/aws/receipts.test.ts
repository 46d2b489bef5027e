import { describe, expect, test } from 'vitest';
import { createQueue } from './queue.ts';
import { newMessage } from './queue-messages.ts';
import { createTestHost } from './test-host.ts';
import { shape } from './test-work.ts';

/** A queue with one message, which the test receives. Messages are invisible for 180 seconds. */
function createOne() {
  const host = createTestHost();
  const faults = { duplicate: 0, undeleted: 0 };
  const queue = createQueue(host, shape, () => undefined, faults);
  queue.put(newMessage('id', 'body', host.schedule.clock.now().getTime()), 0);
  const receive = () => {
    const batch = queue.receive(1);
    const [received] = batch?.received ?? [];
    return { receipt: received?.receipt, delete: () => batch && received && queue.delete(batch, received) };
  };
  return {
    faults,
    queue,
    receive,
    /** Does each of these, 100 seconds after the one before. */
    async play(...acts: readonly (() => void)[]) {
      host.schedule.start('test', async () => {
        for (const act of acts) {
          act();
          await host.schedule.clock.sleep(100_000);
        }
      });
      await host.schedule.run();
      return host.seconds();
    },
  };
}

describe('a message that was received twice', () => {
  test('is deleted by its last receiver only', async () => {
    const { queue, receive, play } = createOne();
    const first = receive();
    const nothing = () => {};
    await play(nothing, nothing, () => {
      const second = receive();
      expect(second.receipt).toBe(2);
      first.delete();
      expect(queue.messages()).toHaveLength(1);
      second.delete();
      expect(queue.messages()).toEqual([]);
    });
  });

  test('stays with its last receiver when the time of the first one is over', async () => {
    const { faults, queue, receive, play } = createOne();
    await play(
      () => {
        faults.duplicate = 1;
        receive();
        faults.duplicate = 0;
      },
      () => void receive(),
      () => expect(queue.visible()).toBe(0),
      () => expect(queue.visible()).toBe(1),
    );
  });

  test('is in the queue once when both times are over', async () => {
    const { faults, queue, receive, play } = createOne();
    const see = () => expect(queue.visible()).toBe(1);
    await play(
      () => {
        faults.duplicate = 1;
        receive();
        faults.duplicate = 0;
      },
      see,
      see,
    );
  });
});

test('nothing is left to wait for when all of a batch is deleted', async () => {
  const { receive, play } = createOne();
  expect(await play(() => receive().delete())).toBe(100);
});

test('what is taken out of a queue does not come back, wherever it was', async () => {
  const { queue, receive, play } = createOne();
  receive();
  queue.put(newMessage('delayed', 'body', Date.parse('2026-08-01T12:00:00Z')), 150);
  queue.put(newMessage('visible', 'body', Date.parse('2026-08-01T12:00:00Z')), 0);
  const isEmpty = () => expect([queue.visible(), queue.messages()]).toEqual([0, []]);
  expect(queue.drain().map(({ id }) => id)).toEqual(['id', 'delayed', 'visible']);
  await play(isEmpty, isEmpty, isEmpty);
});
