import { describe, expect, test } from 'vitest';
import { deliveryIdOf } from '#shared/domain/delivery.ts';
import { type DeliveryWorld, deliveryWorld } from '#test/support/delivery-world.ts';
import { eventOf } from '#test/support/events-in-memory.ts';
import { WEBHOOK, webhookOf } from '#test/support/webhooks-in-memory.ts';

const EVENT = eventOf('evt_0000000000000001');
const DELIVERY = deliveryIdOf(EVENT.eventId, WEBHOOK);

/** The endpoint fails once, so that the way to a retry is walked too. */
const failsOnce = { answer: (_: unknown, nth: number) => ({ statusCode: nth === 1 ? 500 : 200 }) };

/** Counts the steps of the delivery function to the outside, and dies before or after the given one, once. */
function dyingAt(world: DeliveryWorld, fatal: number, when: 'before' | 'after'): { made: () => number } {
  let step = 0;
  for (const [name, works] of Object.entries(world.steps)) {
    Reflect.set(world.steps, name, async (...args: readonly unknown[]) => {
      step += 1;
      const isFatal = step === fatal;
      if (isFatal && when === 'before') throw new Error('The process is gone.');
      const result: unknown = await Reflect.apply(works, undefined, args);
      if (isFatal) throw new Error('The process is gone.');
      return result;
    });
  }
  return { made: () => step };
}

async function delivered(fatal: number, when: 'before' | 'after') {
  const world = deliveryWorld(failsOnce, webhookOf());
  world.events.put(EVENT);
  await world.fanOut(EVENT);
  const steps = dyingAt(world, fatal, when);
  await world.runUntil(24 * 3600);
  return { world, steps: steps.made() };
}

describe('a delivery function that dies between any two steps loses nothing, and sends again under the same id', async () => {
  const { steps } = await delivered(Number.POSITIVE_INFINITY, 'before');

  test('the undisturbed delivery walks through all steps', () => {
    expect(steps).toBeGreaterThanOrEqual(14);
  });

  test.each(Array.from({ length: steps }, (_, index) => index + 1))('cases 26 and 27: at step %i', async (fatal) => {
    for (const when of ['before', 'after'] as const) {
      const { world } = await delivered(fatal, when);
      const found = await world.deliveries.find(DELIVERY, world.clock.now());
      expect(found?.delivery).toMatchObject({ status: 'DELIVERED', eventId: EVENT.eventId });
      expect(found?.attempts.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
      expect(world.sent.length).toBeGreaterThanOrEqual(2);
      expect(world.sent.length).toBeLessThanOrEqual(3);
      expect(new Set(world.sent.map(({ eventId, body }) => `${eventId} ${body}`)).size).toBe(1);
      expect([world.queued, world.dead]).toEqual([[], []]);
    }
  });
});

describe('a fan-out that dies between any two steps', () => {
  test.each([1, 2, 3, 4])('case 24: at step %i is repeated from its queue, and delivers once', async (fatal) => {
    for (const when of ['before', 'after'] as const) {
      const world = deliveryWorld({ answer: () => ({ statusCode: 200 }) }, webhookOf());
      world.events.put(EVENT);
      dyingAt(world, fatal, when);
      await expect(world.fanOut(EVENT)).rejects.toThrow('gone');
      await world.fanOut(EVENT);
      await world.runUntil(3600);
      expect(world.sent).toHaveLength(1);
    }
  });
});
