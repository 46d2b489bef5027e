import { describe, expect, test } from 'vitest';
import { releaseDueDeliveries } from '#functions/notifications/release-due-deliveries/release-due-deliveries.ts';
import { type Delivery, newDelivery } from '#shared/domain/delivery.ts';
import { dueDeliveryShards } from '#shared/dynamodb/delivery-queue.ts';
import { shardOf } from '#shared/dynamodb/shards.ts';
import { deliveriesInMemory } from '#test/support/deliveries-in-memory.ts';
import { eventOf } from '#test/support/events-in-memory.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { logged } from '#test/support/logged.ts';
import { webhookOf } from '#test/support/webhooks-in-memory.ts';

const START = '2026-11-21T12:00:00.000Z';

/** Seconds after which its function is stopped, whatever it is doing (infra/constructs/webhook-deliveries.ts). */
const STOPPED_AFTER = 55;

/** Seconds after which a delivery without an attempt is due again: its message counts as lost. */
const PATIENCE = 300;

/** A delivery that is due so many seconds after the start; before it, with a minus. */
function dueIn(seconds: number, event: string): Delivery {
  const createdAt = new Date(Date.parse(START) + (seconds - PATIENCE) * 1000);
  return newDelivery(eventOf(`evt_${event}`), webhookOf(), 'SCHEDULED', createdAt);
}

const idsOf = (deliveries: readonly Delivery[]) => deliveries.map(({ deliveryId }) => deliveryId);

/** The sweep of these deliveries; each message takes so many seconds to send. */
function sweeping(deliveries: readonly Delivery[], secondsPerMessage = 0) {
  const clock = fakeClock(START);
  const table = deliveriesInMemory(...deliveries);
  const sent: string[] = [];
  const broken = new Set<string>();
  const parts = {
    dueBefore: table.dueBefore,
    takeOn: table.takeOn,
    sendMessage: async ({ deliveryId }: { readonly deliveryId: string }) => {
      clock.advance(secondsPerMessage);
      if (broken.has(deliveryId)) throw new Error('The queue says no.');
      sent.push(deliveryId);
    },
  };
  return {
    parts,
    broken,
    sent,
    /** What a run sends that begins so many seconds after the start, and how many seconds it takes. */
    async runAt(seconds: number) {
      const beginsAt = Date.parse(START) + seconds * 1000;
      const before = sent.length;
      clock.set(new Date(beginsAt).toISOString());
      await releaseDueDeliveries({
        deliveries: parts,
        shards: dueDeliveryShards,
        sendMessage: (message) => parts.sendMessage(message),
        clock,
      })();
      return { sent: sent.slice(before), took: (clock.now().getTime() - beginsAt) / 1000 };
    },
  };
}

describe('case 32: more is due than one run can send', () => {
  const due = Array.from({ length: 3000 }, (_, index) => dueIn(-10_800 + index, `due ${index}`));
  const notYetDue = Array.from({ length: 300 }, (_, index) => dueIn(PATIENCE, `later ${index}`));

  test('a run stops by itself before it is stopped, and the next ones send the rest, each delivery once', async () => {
    const sweep = sweeping([...due, ...notYetDue], 0.04);
    const runs = [await sweep.runAt(0), await sweep.runAt(60), await sweep.runAt(120)];
    for (const { sent, took } of runs) {
      expect(took).toBeLessThan(STOPPED_AFTER);
      expect(sent.length).toBeLessThan(due.length / 2);
    }
    const sent = runs.flatMap((run) => run.sent);
    expect(sent.toSorted()).toEqual(idsOf(due).toSorted());
    expect((await sweep.runAt(180)).sent).toEqual([]);
  });

  test('of a run that is stopped nevertheless the next ones send the rest, and what it had begun', async () => {
    const sweep = sweeping(due);
    const { sendMessage } = sweep.parts;
    const stopped = Promise.withResolvers<void>();
    sweep.parts.sendMessage = async (message) => {
      if (sweep.sent.length < 1000) return sendMessage(message);
      // Nothing is heard any more of what is sent from now on, nor of the run.
      stopped.resolve();
      return new Promise(() => undefined);
    };
    await Promise.race([sweep.runAt(0), stopped.promise]);
    sweep.parts.sendMessage = sendMessage;
    const { sent } = await sweep.runAt(60);
    const known = new Set(sweep.sent);
    const missing = idsOf(due).filter((deliveryId) => !known.has(deliveryId));
    expect([sent.length, missing.length]).toEqual([2000 - dueDeliveryShards.length, dueDeliveryShards.length]);
    expect((await sweep.runAt(PATIENCE)).sent).toEqual(expect.arrayContaining(missing));
  });
});

test('what is due within 90 seconds is sent, and nothing later', async () => {
  const [soon, later] = [dueIn(89.999, 'soon'), dueIn(90, 'later')];
  const sweep = sweeping([later, soon]);
  expect((await sweep.runAt(0)).sent).toEqual(idsOf([soon]));
  expect((await sweep.runAt(0)).sent).toEqual([]);
  expect((await sweep.runAt(60)).sent).toEqual(idsOf([later]));
});

describe('a delivery that cannot be sent', () => {
  // All in one shard, where those behind it would wait for it.
  const shard = dueDeliveryShards[3] ?? '';
  const due = Array.from({ length: 200 }, (_, index) => dueIn(-1000 + index, `${index}`)).filter(
    ({ deliveryId }) => shardOf('DELIVERY', deliveryId) === shard,
  );
  const [bad = '', ...others] = idsOf(due);

  test('is reported, holds up no other, and is sent when it can be', async () => {
    const lines = logged();
    const sweep = sweeping(due);
    sweep.broken.add(bad);
    expect((await sweep.runAt(0)).sent).toEqual(others);
    expect(others.length).toBeGreaterThan(5);
    expect(lines).toMatchObject([{ level: 'error', code: 'DELIVERY_NOT_RELEASED', fields: { deliveryId: bad } }]);
    sweep.broken.clear();
    expect((await sweep.runAt(60)).sent).toEqual([]);
    expect((await sweep.runAt(PATIENCE)).sent).toContain(bad);
  });

  test('because it cannot be taken on: is reported, holds up no other, and is sent by the next run', async () => {
    const lines = logged();
    const sweep = sweeping(due);
    const { takeOn } = sweep.parts;
    sweep.parts.takeOn = async (deliveryId, ...seen) => {
      if (deliveryId === bad) throw new Error('throttled');
      return takeOn(deliveryId, ...seen);
    };
    expect((await sweep.runAt(0)).sent).toEqual(others);
    expect(lines).toMatchObject([{ level: 'error', code: 'DELIVERY_NOT_RELEASED', fields: { deliveryId: bad } }]);
    sweep.parts.takeOn = takeOn;
    expect((await sweep.runAt(60)).sent).toEqual([bad]);
  });
});
