import { describe, expect, test } from 'vitest';
import { deliveryIdOf } from '#shared/webhooks/model/delivery.ts';
import { type DeliveryWorld, deliveryWorld } from '#test/support/delivery-world.ts';
import { eventNo, eventOf } from '#test/support/events-in-memory.ts';
import { WEBHOOK } from '#test/support/ids.ts';
import { webhookOf } from '#test/support/webhooks-in-memory.ts';

const EVENT = eventOf(eventNo(1));
const DELIVERY = deliveryIdOf(EVENT.eventId, WEBHOOK);

/** The endpoint fails once, so that the steps of a retry are covered, too. */
const failsOnce = { answer: (_: unknown, nth: number) => ({ statusCode: nth === 1 ? 500 : 200 }) };

interface Break {
  /** The number of the step to the outside that breaks, once. */
  readonly at: number;
  readonly when: 'before' | 'after';
  /** True if the process dies at this step; otherwise the step only throws, and the code may go on. */
  readonly isDeath?: boolean;
  /** The step that each process begins with. */
  readonly begin?: keyof DeliveryWorld['steps'];
}

/**
 * Counts the steps of the function to the outside, and breaks the given one. A process that died of it takes no further
 * step, whatever its code catches, until another one begins.
 */
function breaking(
  world: DeliveryWorld,
  { at, when, isDeath = false, begin = 'responsiveness' }: Break,
): { made: () => number } {
  let [step, isDead] = [0, false];
  const gone = () => {
    isDead = isDeath;
    return new Error('The process is gone.');
  };
  for (const [name, works] of Object.entries(world.steps)) {
    Reflect.set(world.steps, name, async (...args: readonly unknown[]) => {
      if (name === begin) isDead = false;
      if (isDead) throw gone();
      step += 1;
      const breaks = step === at;
      if (breaks && when === 'before') throw gone();
      const result: unknown = await Reflect.apply(works, undefined, args);
      if (breaks) throw gone();
      return result;
    });
  }
  return { made: () => step };
}

async function delivered(broken: Break) {
  const world = deliveryWorld(failsOnce, webhookOf());
  world.events.put(EVENT);
  await world.fanOut(EVENT);
  const steps = breaking(world, broken);
  await world.runUntil(24 * 3600);
  return { world, steps: steps.made() };
}

/** Expects the same id and bytes in every call, at most one call that is not recorded, and no work that is left. */
async function expectDelivered(world: DeliveryWorld): Promise<void> {
  const found = await world.deliveries.find(DELIVERY, world.clock.now());
  const recorded = found?.attempts.map(({ statusCode }) => statusCode) ?? [];
  expect([[500, 200], [200]]).toContainEqual(recorded);
  expect(found).toMatchObject({
    status: 'DELIVERED',
    eventId: EVENT.eventId,
    attemptsMade: recorded.length,
  });
  expect(world.sent.length).toBeGreaterThanOrEqual(2);
  expect(world.sent.length - recorded.length).toBeLessThanOrEqual(1);
  expect(new Set(world.sent.map(({ eventId, body }) => `${eventId} ${body}`))).toEqual(
    new Set([`${EVENT.eventId} ${EVENT.body}`]),
  );
  expect([world.queued, world.dead]).toEqual([[], []]);
}

describe('decisions 7, outbox: a delivery function that is stopped between any two steps', async () => {
  const { steps } = await delivered({ at: Number.POSITIVE_INFINITY, when: 'before' });
  const each = Array.from({ length: steps }, (_, index) => index + 1);

  test('walks through all steps when it is not', () => {
    expect(steps).toBeGreaterThanOrEqual(14);
  });

  test.each(each)('by its death at step %i, loses nothing and sends again under the same id', async (at) => {
    for (const when of ['before', 'after'] as const) {
      const { world } = await delivered({ at, when, isDeath: true });
      await expectDelivered(world);
    }
  });

  test.each(each)('by a fault of ours at step %i that it survives, does not count it as an attempt', async (at) => {
    for (const when of ['before', 'after'] as const) {
      const { world } = await delivered({ at, when });
      await expectDelivered(world);
    }
  });
});

describe('decisions 7, outbox: a fan-out that dies between any two steps', () => {
  test.each([1, 2, 3, 4])('at step %i is repeated from its queue, and delivers once', async (at) => {
    for (const when of ['before', 'after'] as const) {
      const world = deliveryWorld({ answer: () => ({ statusCode: 200 }) }, webhookOf());
      world.events.put(EVENT);
      breaking(world, { at, when, isDeath: true, begin: 'findEvent' });
      await expect(world.fanOut(EVENT)).rejects.toThrow('gone');
      await world.fanOut(EVENT);
      await world.runUntil(3600);
      expect(world.sent).toHaveLength(1);
    }
  });
});
