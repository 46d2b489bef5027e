import { describe, expect, test } from 'vitest';
import { createNextAttempts } from '#functions/webhooks/deliver-webhook/conclude-attempt.ts';
import { MESSAGE_LOST_AFTER } from '#shared/platform/dynamodb/due-queue.ts';
import type { DeliveryMessage } from '#shared/webhooks/delivery/delivery-messages.ts';
import type { Attempt } from '#shared/webhooks/http-client/send-event.ts';
import { deliveryIdOf } from '#shared/webhooks/model/delivery.ts';
import type { Webhook } from '#shared/webhooks/model/webhook.ts';
import type { Responsiveness } from '#shared/webhooks/model/webhook-health.ts';
import { createDeliverySlots } from '#shared/webhooks/store/delivery-slots.ts';
import { ACCEPTED_CALL } from '#test/support/call-summaries.ts';
import { deliveriesInMemory } from '#test/support/deliveries-in-memory.ts';
import { type DeliveryWorld, deliveryWorld } from '#test/support/delivery-world.ts';
import { eventNo, eventOf } from '#test/support/events-in-memory.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CLIENT, STRANGER, WEBHOOK } from '#test/support/ids.ts';
import { slotsInMemory } from '#test/support/slots-in-memory.ts';
import { webhookOf } from '#test/support/webhooks-in-memory.ts';

const A_DAY = 24 * 3600;

const always = (answer: Partial<Attempt>) => ({ answer: () => answer });
const eventIds = (count: number, prefix = '0') =>
  Array.from({ length: count }, (_, index) => eventNo(Number(prefix) * 10_000 + index));

async function told(world: DeliveryWorld, ids: readonly string[], clientId = CLIENT): Promise<void> {
  for (const eventId of ids) {
    const event = eventOf(eventId, { clientId, occurredAt: world.clock.now().toISOString() });
    world.events.put(event);
    await world.fanOut(event);
  }
}

/** Makes the endpoints of some webhooks hang; `open` lists those that are being called, `letGo` ends the calls. */
function hanging(world: DeliveryWorld, hangs: (webhook: Webhook) => boolean) {
  const { sendEvent } = world.steps;
  const open: Webhook[] = [];
  let letGo = Promise.withResolvers<void>();
  world.steps.sendEvent = async (webhook, event) => {
    if (!hangs(webhook)) return sendEvent(webhook, event);
    open.push(webhook);
    await letGo.promise;
    open.splice(open.indexOf(webhook), 1);
    return { ...(await sendEvent(webhook, event)), statusCode: undefined, error: 'TIMEOUT' };
  };
  return {
    open,
    letGo: () => {
      letGo.resolve();
      letGo = Promise.withResolvers();
    },
  };
}

/** Hands out all that is queued, each message to a process of its own, and waits until all that do not hang are done. */
async function handOut(world: DeliveryWorld): Promise<void> {
  for (const { body, queue } of world.queued.splice(0)) void world.deliver(JSON.parse(body), queue);
  await new Promise(setImmediate);
}

/** Records that the last call of each webhook was answered: its endpoint begins to hang only now. */
async function haveAnswered(world: DeliveryWorld, ...webhooks: readonly Webhook[]): Promise<void> {
  for (const webhook of webhooks) await world.health.recordResult(webhook, 'an earlier call', ACCEPTED_CALL);
}

const statuses = (world: DeliveryWorld) => new Set(world.deliveries.all().map(({ status }) => status));

describe('decisions 7: neither a webhook nor a client ever holds more than its share of the slots', () => {
  const ids = ['1', '2', '3', '4'].map((digit) => WEBHOOK.replace(/^5/, digit));
  const ofOne = ids.map((webhookId) => webhookOf({ webhookId }));
  const healthy = webhookOf({ clientId: STRANGER });

  test('while four endpoints of one client hang, they are called as its share says, and another client’s at once', async () => {
    const world = deliveryWorld(always({ statusCode: 200 }), ...ofOne, healthy);
    await haveAnswered(world, ...ofOne, healthy);
    const calls = hanging(world, ({ clientId }) => clientId === CLIENT);
    await told(world, eventIds(10));
    await told(world, eventIds(3, '1'), STRANGER);
    await handOut(world);
    expect(calls.open).toHaveLength(4);
    for (const id of ids) expect(calls.open.filter(({ webhookId }) => webhookId === id).length).toBeLessThanOrEqual(3);
    expect(world.sent.map(({ url }) => url)).toEqual(eventIds(3).map(() => healthy.url));
    // Later attempts have their own slots and their own queue.
    expect(world.queued.map(({ queue }) => queue)).toEqual(Array.from({ length: 36 }, () => 'retries'));
    await handOut(world);
    expect(calls.open).toHaveLength(4 + 3);
    expect(world.slots.held(new RegExp(CLIENT))).toBe(4 + 3);
  });

  test.each([
    ['alone', [webhookOf()], [1, 0]],
    ['beside another one', [webhookOf(), ...ofOne.slice(0, 1)], [1, 1]],
  ] as const)(
    'a webhook that answers, %s, is called with slots of its client and of its own: %#',
    async (_, webhooks, slots) => {
      const world = deliveryWorld(always({ statusCode: 200 }), ...webhooks);
      await haveAnswered(world, ...webhooks);
      const calls = hanging(world, ({ webhookId }) => webhookId === WEBHOOK);
      await told(world, eventIds(1));
      await handOut(world);
      expect(calls.open).toHaveLength(1);
      expect([CLIENT, WEBHOOK].map((owner) => world.slots.held(new RegExp(owner)))).toEqual(slots);
    },
  );

  test('a client that changes its addresses in a loop gains no slot by it', async () => {
    const webhook = webhookOf();
    const world = deliveryWorld(always({ statusCode: 200 }), webhook);
    await haveAnswered(world, webhook);
    const calls = hanging(world, () => true);
    let current = webhook;
    for (const eventId of eventIds(20)) {
      current = await world.webhooks.change(current, { url: `https://hooks.example.com/${eventId}` });
      await told(world, [eventId]);
      await handOut(world);
    }
    expect(calls.open).toHaveLength(4 + 3);
  });

  test('a webhook that is removed while its deliveries wait is not called, and nothing waits for ever', async () => {
    const world = deliveryWorld(always({ statusCode: 500 }), webhookOf());
    await told(world, eventIds(20));
    await world.runUntil(4);
    const called = world.sent.length;
    world.steps.find = async () => undefined;
    await world.runUntil(A_DAY);
    expect(world.sent).toHaveLength(called);
    expect(statuses(world)).toEqual(new Set(['CANCELLED']));
  });
});

describe('decisions 7: a dead holder frees itself', () => {
  test('after a minute, and not before', async () => {
    const world = deliveryWorld(always({ statusCode: 200 }), webhookOf());
    const { sendEvent } = world.steps;
    world.steps.sendEvent = () => new Promise(() => undefined);
    await told(world, eventIds(3));
    await handOut(world);
    world.steps.sendEvent = sendEvent;
    await told(world, eventIds(1, '1'));
    for (const seconds of [59, 60]) {
      world.clock.set(new Date(Date.parse('2026-11-21T12:00:00.000Z') + seconds * 1000).toISOString());
      const [message] = world.queued;
      if (message !== undefined) await world.deliver(JSON.parse(message.body));
      expect(world.sent).toHaveLength(seconds < 60 ? 0 : 1);
    }
  });

  test('a holder that comes back to life releases no slot that another took', async () => {
    const world = deliveryWorld(always({ statusCode: 200 }), webhookOf());
    await haveAnswered(world, webhookOf());
    const calls = hanging(world, () => true);
    await told(world, eventIds(3));
    await handOut(world);
    world.clock.advance(61);
    await told(world, eventIds(3, '1'));
    await handOut(world);
    expect(calls.open).toHaveLength(6);
    calls.letGo();
    await new Promise(setImmediate);
    expect(world.slots.held()).toBe(0);
    expect(world.deliveries.all().map(({ attempts }) => attempts.length)).toEqual(Array(6).fill(1));
  });
});

describe('decisions 7: an attempt that cannot have the slot of its client', () => {
  test.each(['ANSWERS', 'UNKNOWN', 'HANGS'] as const)(
    'because the table fails gives back the one of its webhook, of which the call %s',
    async (responsiveness) => {
      const slots = slotsInMemory(fakeClock('2026-11-21T12:00:00.000Z'));
      const taken: string[] = [];
      const acquire: typeof slots.acquire = async (owner, ...given) => {
        if (owner.endsWith(CLIENT)) throw new Error('the table fails');
        taken.push(owner);
        return slots.acquire(owner, ...given);
      };
      const share = { perClient: 4, perWebhook: 3 };
      const { acquire: acquireBoth } = createDeliverySlots({ ...slots, acquire }, { first: share, retries: share });
      const both = acquireBoth('first', { clientId: CLIENT, webhookId: WEBHOOK }, responsiveness, 'token');
      await expect(both).rejects.toThrow('the table fails');
      expect([taken, slots.held()]).toEqual([[`first#${WEBHOOK}`], 0]);
    },
  );
});

describe('decisions 7: a message that finds no free slot waits in the queue', () => {
  test('without an attempt; it reads only whether the webhook answers, and its slots', async () => {
    const world = deliveryWorld(always({ statusCode: 200 }), webhookOf());
    await haveAnswered(world, webhookOf());
    const calls = hanging(world, () => true);
    await told(world, eventIds(4));
    await handOut(world);
    await told(world, eventIds(1, '1'));
    const used: string[] = [];
    for (const [name, works] of Object.entries(world.steps)) {
      Reflect.set(world.steps, name, (...args: readonly unknown[]) => {
        used.push(name);
        return Reflect.apply(works, undefined, args);
      });
    }
    await handOut(world);
    expect(used).toEqual(['responsiveness', 'acquire', 'sendRetry']);
    expect(calls.open).toHaveLength(4);
    expect(world.deliveries.kept(deliveryIdOf(eventNo(10_000), WEBHOOK))).toMatchObject({
      delivery: { status: 'PENDING', attempts: [], claims: 0 },
    });
  });

  test('for about as long as the calls that hold the slots: not long at a fast endpoint', async () => {
    const waits = async (
      heldSeconds: number,
      waited: number,
      roll: number,
      responsiveness: Responsiveness = 'ANSWERS',
    ) => {
      const sent: unknown[] = [];
      const clock = fakeClock('2026-11-21T12:00:00.000Z', () => roll);
      const send =
        (...queue: readonly 'first'[]) =>
        async (message: unknown, delay: number) => {
          sent.push([message, delay, ...queue]);
        };
      const claims = deliveriesInMemory();
      const next = createNextAttempts({ claims, sendFirst: send('first'), sendRetry: send(), clock });
      const message = { deliveryId: 'dlv_0', clientId: CLIENT, webhookId: WEBHOOK, attempt: 1, waited };
      await next.requeue(message, responsiveness, heldSeconds);
      return sent;
    };
    const put = (waited: number, delay: number, ...queue: readonly 'first'[]) => [
      [{ deliveryId: 'dlv_0', clientId: CLIENT, webhookId: WEBHOOK, attempt: 1, waited }, delay, ...queue],
    ];
    expect(await waits(0.2, 0, 0)).toEqual(put(1, 1));
    expect(await waits(0.2, 0, 0.99)).toEqual(put(2, 2));
    expect(await waits(14, 0, 0.5, 'HANGS')).toEqual(put(15, 15));
    // Each wait is longer than the last, so that a long queue costs little, but a minute at most.
    expect(await waits(0.2, 40, 0.5, 'HANGS')).toEqual(put(62, 22));
    expect(await waits(59, 200, 0.5, 'HANGS')).toEqual(put(260, 60));
    // A webhook that answers waits until the call that holds the slot runs out of time; a webhook that was never called
    // comes before those that are known to hang.
    expect(await waits(14, 0, 0.5)).toEqual(put(2, 2));
    expect(await waits(12, 20, 0, 'UNKNOWN')).toEqual(put(23, 3, 'first'));
    expect(await waits(14, 0, 0.99, 'UNKNOWN')).toEqual(put(2, 2, 'first'));
    // A webhook that still waits for its first call waits longer in the end.
    expect(await waits(0.2, 115, 0, 'UNKNOWN')).toEqual(put(140, 25, 'first'));
    // No message is sent that would come after the sweep counts the delivery's message as lost.
    expect(await waits(0.2, 260, 0.5)).toEqual([]);
    expect(await waits(0.2, 280, 0.5, 'UNKNOWN')).toEqual([]);
  });

  test('not for ever when the webhook was never called: a wait that doubles has a limit', async () => {
    const rounds = async (heldSeconds: number, roll: number) => {
      const waiting: DeliveryMessage[] = [
        { deliveryId: 'dlv_0', clientId: CLIENT, webhookId: WEBHOOK, attempt: 1, waited: 0 },
      ];
      const delays: number[] = [];
      const send = async (message: DeliveryMessage, delay: number) => {
        waiting.push(message);
        delays.push(delay);
      };
      const clock = fakeClock('2026-11-21T12:00:00.000Z', () => roll);
      const next = createNextAttempts({ claims: deliveriesInMemory(), sendFirst: send, sendRetry: send, clock });
      for (let message = waiting.pop(); message !== undefined; message = waiting.pop()) {
        await next.requeue(message, 'UNKNOWN', heldSeconds);
      }
      return delays;
    };
    for (const heldSeconds of [0, 0.2, 5, 10, 14, 15, 59]) {
      for (const roll of [0, 0.5, 0.99]) {
        const delays = await rounds(heldSeconds, roll);
        expect(delays.length).toBeLessThanOrEqual(40);
        expect(Math.min(...delays)).toBeGreaterThanOrEqual(1);
        // The message is dropped before the sweep sends another one, so messages do not pile up.
        expect(delays.reduce((sum, delay) => sum + delay, 0)).toBeLessThanOrEqual(MESSAGE_LOST_AFTER);
      }
    }
  });
});
