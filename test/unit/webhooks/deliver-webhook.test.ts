import { describe, expect, test } from 'vitest';
import { externalEventId, withKey } from '#shared/events/service-event.ts';
import { log, withFields } from '#shared/platform/logger.ts';
import { parseDeliveryMessage } from '#shared/webhooks/delivery/delivery-messages.ts';
import type { Attempt } from '#shared/webhooks/http-client/send-event.ts';
import { deliveryIdOf } from '#shared/webhooks/model/delivery.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { type DeliveryWorld, deliveryWorld, type Sent, START } from '#test/support/delivery-world.ts';
import { eventNo, eventOf } from '#test/support/events-in-memory.ts';
import { CLIENT, WEBHOOK } from '#test/support/ids.ts';
import { webhookOf } from '#test/support/webhooks-in-memory.ts';

const EVENT = eventNo(1);
const DELIVERY = deliveryIdOf(EVENT, WEBHOOK);
const OTHER_WEBHOOK = '66666666-6666-4666-8666-666666666666';

/** Seconds from the start at which attempts are due, if each of them ends at once. */
const SCHEDULE = [0, 5, 305, 2105, 9305, 27_305, 63_305, 113_705, 185_705, 272_105];
const FIVE_DAYS = 5 * 24 * 3600;

const always = (answer: Partial<Attempt>) => ({ answer: () => answer });
const inTurn = (...answers: readonly Partial<Attempt>[]) => ({
  answer: (_: Sent, nth: number) => answers[Math.min(nth, answers.length) - 1] ?? {},
});
const times = (sent: readonly Sent[]) => sent.map(({ at }) => at);

async function told(world: ReturnType<typeof deliveryWorld>, ...eventIds: readonly string[]) {
  for (const eventId of eventIds.length === 0 ? [EVENT] : eventIds) {
    const event = eventOf(eventId, { occurredAt: world.clock.now().toISOString() });
    world.events.put(event);
    await world.fanOut(event);
  }
}

async function logOf(world: ReturnType<typeof deliveryWorld>, deliveryId = DELIVERY) {
  const found = await world.deliveries.find(deliveryId, world.clock.now());
  if (found === undefined) throw new Error('There is no such delivery.');
  return found;
}

/** Has a step fail until it is repaired. */
function failing({ steps }: DeliveryWorld, step: keyof DeliveryWorld['steps']): () => void {
  const works: unknown = Reflect.get(steps, step);
  Reflect.set(steps, step, async () => {
    throw new Error('throttled');
  });
  return () => Reflect.set(steps, step, works);
}

describe('decisions 7, retries: a delivery', () => {
  test.each([
    { statusCode: 400 },
    { statusCode: 401 },
    { statusCode: 404 },
    { statusCode: 500 },
    { statusCode: 503 },
    { error: 'TIMEOUT' as const },
  ])('that gets %o for ever is ten calls at the scheduled times, then FAILED, and no eleventh', async (answer) => {
    const lines = captureLogs();
    const world = deliveryWorld(always(answer), webhookOf());
    await told(world);
    await world.runUntil(FIVE_DAYS);
    const delivery = await logOf(world);
    const notice = { deliveryId: DELIVERY, webhookId: WEBHOOK, reason: 'EXHAUSTED' };
    expect(lines).toContainEqual({ level: 'warn', code: 'DELIVERY_FAILED', fields: notice });
    // After five failures in a row the circuit opens: attempts are postponed, and a postponement is no attempt.
    expect(world.sent).toHaveLength(10);
    expect(times(world.sent).slice(0, 5)).toEqual(SCHEDULE.slice(0, 5));
    for (const [index, at] of times(world.sent).entries()) expect(at).toBeGreaterThanOrEqual(SCHEDULE[index] ?? 0);
    expect(delivery).toMatchObject({ status: 'FAILED', reason: 'EXHAUSTED', attemptsMade: 10 });
    expect(delivery.nextAttemptAt).toBeUndefined();
    expect(delivery.attempts).toHaveLength(10);
  });

  test('is put off by a Retry-After', async () => {
    const world = deliveryWorld(inTurn({ statusCode: 429, retryAfter: '120' }, { statusCode: 200 }), webhookOf());
    await told(world);
    await world.runUntil(FIVE_DAYS);
    expect(times(world.sent)).toEqual([0, 120]);
  });

  test('that was due while the sweep stood still for three hours is sent once, and none is lost', async () => {
    const ids = [WEBHOOK, OTHER_WEBHOOK, '77777777-7777-4777-8777-777777777777'];
    const webhooks = ids.map((webhookId) => webhookOf({ webhookId }));
    const world = deliveryWorld({ answer: ({ at }) => ({ statusCode: at < 400 ? 500 : 200 }) }, ...webhooks);
    await told(world);
    await world.runUntil(400);
    const before = world.sent.length;
    world.stopSweepingFor(3 * 3600);
    await world.runUntil(3 * 3600);
    expect(world.sent).toHaveLength(before);
    await world.runUntil(4 * 3600);
    expect(world.deliveries.all().map(({ status }) => status)).toEqual(ids.map(() => 'DELIVERED'));
    expect(world.sent).toHaveLength(before + ids.length);
  });
});

describe('decisions 7, managing: when a webhook is changed or deactivated', () => {
  test('410 deactivates the webhook and cancels what is pending', async () => {
    const world = deliveryWorld(inTurn({ statusCode: 500 }, { statusCode: 410 }), webhookOf());
    await told(world, EVENT);
    await world.runUntil(1);
    const other = eventNo(2);
    await told(world, other);
    await world.runUntil(FIVE_DAYS);
    const deactivatedAt = new Date(Date.parse(START) + (world.sent[1]?.at ?? 0) * 1000).toISOString();
    expect(world.webhooks.kept()).toMatchObject({ status: false, statusReason: 'ENDPOINT_GONE', deactivatedAt });
    expect(world.sent).toHaveLength(2);
    expect(await logOf(world, deliveryIdOf(other, WEBHOOK))).toMatchObject({
      status: 'FAILED',
      reason: 'ENDPOINT_GONE',
    });
    expect(await logOf(world)).toMatchObject({ status: 'CANCELLED', reason: 'WEBHOOK_INACTIVE' });
  });

  test('a 410 of an address that the client has changed meanwhile deactivates nothing, and the new one gets the event', async () => {
    const world = deliveryWorld(inTurn({ statusCode: 410 }, { statusCode: 200 }), webhookOf());
    const { sendEvent } = world.steps;
    world.steps.sendEvent = async (webhook, event) => {
      await world.webhooks.change(webhook, { url: 'https://hooks.example.com/new' });
      return sendEvent(webhook, event);
    };
    await told(world);
    await world.runUntil(10);
    expect(world.webhooks.kept()?.status).toBe(true);
    expect([times(world.sent), (await logOf(world))?.status]).toEqual([[0, 5], 'DELIVERED']);
  });

  test.each([
    ['a reactivation deactivates nothing', true],
    ['a deactivation by the client gives it no reason', false],
  ])('a 410 to a call from before %s', async (_, isActiveAgain) => {
    const world = deliveryWorld(always({ statusCode: 410 }), webhookOf());
    const { sendEvent } = world.steps;
    world.steps.sendEvent = async (webhook, event) => {
      const inactive = await world.webhooks.change(webhook, { status: false });
      const activeSince = world.clock.now().toISOString();
      if (isActiveAgain) await world.webhooks.change(inactive, { status: true, activeSince });
      return sendEvent(webhook, event);
    };
    await told(world);
    await world.runUntil(10);
    expect(world.webhooks.kept()).toMatchObject({ status: isActiveAgain });
    expect(world.webhooks.kept()).not.toHaveProperty('statusReason');
  });

  test('a deactivation while a retry waits leaves a CANCELLED delivery and no call', async () => {
    const world = deliveryWorld(always({ statusCode: 500 }), webhookOf());
    await told(world);
    await world.runUntil(10);
    await world.webhooks.change(webhookOf(), { status: false });
    await world.runUntil(FIVE_DAYS);
    expect(times(world.sent)).toEqual([0, 5]);
    expect(await logOf(world)).toMatchObject({ status: 'CANCELLED', reason: 'WEBHOOK_INACTIVE' });
  });

  test('a deactivation that races a call lets that one call finish, and no later one', async () => {
    const world = deliveryWorld(always({ statusCode: 500 }), webhookOf());
    const { sendEvent } = world.steps;
    world.steps.sendEvent = async (webhook, event) => {
      await world.webhooks.change(webhook, { status: false });
      return sendEvent(webhook, event);
    };
    await told(world);
    await world.runUntil(FIVE_DAYS);
    expect(times(world.sent)).toEqual([0]);
    expect((await logOf(world)).status).toBe('CANCELLED');
  });

  test('reactivated, a webhook gets what happens from then on, and nothing that waited', async () => {
    const world = deliveryWorld(inTurn({ statusCode: 500 }, { statusCode: 500 }, { statusCode: 200 }), webhookOf());
    await told(world);
    await world.runUntil(10);
    const inactive = await world.webhooks.change(webhookOf(), { status: false });
    await world.runUntil(20);
    await world.webhooks.change(inactive, { status: true, activeSince: world.clock.now().toISOString() });
    const late = eventOf(eventNo(3), { occurredAt: '2026-11-21T12:00:15.000Z' });
    world.events.put(late);
    await world.fanOut(late);
    await told(world, eventNo(2));
    await world.runUntil(FIVE_DAYS);
    expect(world.sent.map(({ eventId }) => eventId)).toEqual([EVENT, EVENT, eventNo(2)]);
    expect((await logOf(world)).status).toBe('CANCELLED');
  });

  test('only active webhooks of the client and the process get an event, each in a delivery of its own', async () => {
    const others = [
      webhookOf({ webhookId: OTHER_WEBHOOK, url: 'https://other.example.com/' }),
      webhookOf({ webhookId: '77777777-7777-4777-8777-777777777777', process: 'compliance' }),
      webhookOf({ webhookId: '88888888-8888-4888-8888-888888888888', clientId: OTHER_WEBHOOK }),
    ];
    const answer = ({ url }: Sent) => ({ statusCode: url.includes('other') ? 200 : 500 });
    const world = deliveryWorld({ answer }, webhookOf(), ...others);
    await told(world);
    await world.runUntil(4);
    const statuses = world.deliveries.all().map(({ webhookId, status }) => [webhookId, status]);
    expect(statuses).toEqual([
      [WEBHOOK, 'PENDING'],
      [OTHER_WEBHOOK, 'DELIVERED'],
    ]);
  });
});

describe('decisions 7, outbox: an event is delivered once where nothing fails, and at least once where something does', () => {
  test('one message given to two workers at once is one call', async () => {
    const world = deliveryWorld(always({ statusCode: 200 }), webhookOf());
    await told(world);
    const message = { deliveryId: DELIVERY, clientId: CLIENT, webhookId: WEBHOOK, attempt: 1, waited: 0 };
    await Promise.all([world.deliver(message), world.deliver(message)]);
    await world.runUntil(FIVE_DAYS);
    expect(world.sent).toHaveLength(1);
  });

  test('a message of an attempt that was made, or of a delivery that is over, calls nobody', async () => {
    const world = deliveryWorld(inTurn({ statusCode: 500 }, { statusCode: 200 }), webhookOf());
    await told(world);
    const stale = { deliveryId: DELIVERY, clientId: CLIENT, webhookId: WEBHOOK, attempt: 1, waited: 0 };
    await world.runUntil(1);
    await world.deliver(stale);
    await world.runUntil(FIVE_DAYS);
    for (const attempt of [1, 2, 3]) await world.deliver({ ...stale, attempt });
    await world.deliver({ ...stale, deliveryId: 'dlv_0000' });
    expect(times(world.sent)).toEqual([0, 5]);
  });

  test('and a message that comes before its time is held back until then', async () => {
    const world = deliveryWorld(inTurn({ statusCode: 500 }, { statusCode: 200 }), webhookOf());
    await told(world);
    await world.runUntil(1);
    world.queued.splice(0);
    await world.deliver({ deliveryId: DELIVERY, clientId: CLIENT, webhookId: WEBHOOK, attempt: 2, waited: 0 });
    await world.runUntil(6);
    expect(times(world.sent)).toEqual([0, 5]);
  });

  test('a message that cannot be read goes to the dead letters, others are delivered, and the sweep does not send it again', async () => {
    const world = deliveryWorld(always({ statusCode: 200 }), webhookOf());
    world.queued.push({ queue: 'first', body: '{"deliveryId":', at: world.clock.now().getTime(), receives: 0 });
    await told(world);
    await world.runUntil(FIVE_DAYS);
    expect(world.dead).toEqual(['{"deliveryId":']);
    expect(world.sent).toHaveLength(1);
    expect(world.queued).toEqual([]);
  });

  test('a delivery that cannot be signed makes no attempt, and is counted; it is tried again until it can be signed', async () => {
    const lines = captureLogs();
    const world = deliveryWorld(always({ statusCode: 200 }), webhookOf());
    const { sendEvent } = world.steps;
    world.steps.sendEvent = async (webhook, event) => {
      if (world.clock.now().getTime() < Date.parse('2026-11-21T15:00:00Z')) throw new Error('KMS says no');
      return sendEvent(webhook, event);
    };
    await told(world);
    await world.runUntil(3 * 3600 - 1);
    expect(await logOf(world)).toMatchObject({ status: 'PENDING', attemptsMade: 0, attempts: [] });
    const notAttempted = lines.filter(({ code }) => code === 'DELIVERY_NOT_ATTEMPTED');
    expect(notAttempted.length).toBeGreaterThan(1);
    expect(notAttempted[0]).toMatchObject({
      level: 'error',
      fields: { webhookId: WEBHOOK, cause: 'Error: KMS says no' },
    });
    await world.runUntil(3 * 3600 + 180);
    expect(times(world.sent)).toHaveLength(1);
    expect(await logOf(world)).toMatchObject({ status: 'DELIVERED', attemptsMade: 1 });
  });

  test('a delivery that cannot be read makes no attempt: a person is called, and it is sent once it can be read', async () => {
    const lines = captureLogs();
    const world = deliveryWorld(always({ statusCode: 200 }), webhookOf());
    await told(world);
    world.events.putItems({ ...withKey(eventOf(EVENT)), body: 5 });
    await world.runUntil(3600);
    expect(await logOf(world)).toMatchObject({ status: 'PENDING', attemptsMade: 0, attempts: [] });
    expect(lines.find(({ code }) => code === 'ITEM_UNREADABLE')).toMatchObject({
      level: 'error',
      fields: { id: EVENT, webhookId: WEBHOOK },
    });
    world.events.put(eventOf(EVENT));
    await world.runUntil(3720);
    expect(await logOf(world)).toMatchObject({ status: 'DELIVERED', attemptsMade: 1 });
  });

  test('while no result can be counted for its webhook, each attempt is on record once and the next one is made', async () => {
    const world = deliveryWorld(inTurn({ statusCode: 500 }, { statusCode: 200 }), webhookOf());
    await told(world);
    const repair = failing(world, 'recordResult');
    await world.runUntil(4);
    expect(await logOf(world)).toMatchObject({ status: 'PENDING', attemptsMade: 1, attempts: [expect.anything()] });
    for (const seconds of [3600, FIVE_DAYS]) {
      await world.runUntil(seconds);
      const delivery = await logOf(world);
      expect(delivery).toMatchObject({ status: 'DELIVERED', attemptsMade: 2 });
      expect(delivery.attempts.map(({ statusCode }) => statusCode)).toEqual([500, 200]);
      expect(times(world.sent)).toEqual([0, 5]);
      repair();
    }
    expect([world.queued, world.dead]).toEqual([[], []]);
  });

  test('a worker that lost its lease overwrites nothing of the next one', async () => {
    const world = deliveryWorld(always({ statusCode: 200 }), webhookOf());
    await told(world);
    const message = { deliveryId: DELIVERY, clientId: CLIENT, webhookId: WEBHOOK, attempt: 1, waited: 0 };
    const { sendEvent } = world.steps;
    world.steps.sendEvent = async (webhook, event) => {
      world.steps.sendEvent = sendEvent;
      const attempt = await sendEvent(webhook, event);
      // The call hangs for longer than its lease; another worker takes over the attempt meanwhile.
      world.clock.advance(61);
      await world.deliver(message);
      return { ...attempt, statusCode: 500, error: undefined };
    };
    await world.deliver(message);
    const delivery = await logOf(world);
    expect(delivery).toMatchObject({ status: 'DELIVERED' });
    expect(delivery.attempts.map(({ statusCode }) => statusCode)).toEqual([200]);
    expect(world.sent.map(({ eventId }) => eventId)).toEqual([EVENT, EVENT]);
  });

  test('an attempt during which one process after another dies is given up, and not repeated for ever: a person is called', async () => {
    const lines = captureLogs();
    const world = deliveryWorld(always({ statusCode: 200 }), webhookOf());
    await told(world);
    const die = async () => {
      throw new Error('The process is gone.');
    };
    world.steps.sendEvent = die;
    world.steps.reschedule = die;
    await world.runUntil(FIVE_DAYS);
    expect(await logOf(world)).toMatchObject({ status: 'FAILED', reason: 'INTERNAL' });
    const fields = { deliveryId: DELIVERY, webhookId: WEBHOOK, cause: 'TOO_MANY_CLAIMS' };
    expect(lines).toContainEqual({ level: 'error', code: 'DELIVERY_GIVEN_UP', fields });
    expect(world.queued).toEqual([]);
  });

  test('a call whose result cannot be kept is made five times at most', async () => {
    const world = deliveryWorld(always({ statusCode: 200 }), webhookOf());
    await told(world);
    world.steps.finish = async () => {
      throw new Error('throttled');
    };
    await world.runUntil(FIVE_DAYS);
    expect(world.sent).toHaveLength(5);
    expect(await logOf(world)).toMatchObject({ status: 'FAILED', reason: 'INTERNAL' });
  });
});

describe('decisions 7, parked: the breaker', () => {
  test('five failures in a row park a webhook; one probe at a time; parked time is no attempt', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => eventNo(index));
    const world = deliveryWorld({ answer: ({ at }) => ({ statusCode: at < 100 ? 500 : 200 }) }, webhookOf());
    await told(world, ...ids);
    await world.runUntil(4);
    expect(world.sent).toHaveLength(5);
    expect(world.health.of(WEBHOOK)).toMatchObject({ failures: 5, parkMinutes: 1 });
    const parked = world.deliveries.all().filter(({ attempts }) => attempts.length === 0);
    expect(parked).toHaveLength(15);
    expect(parked.every(({ status, attemptsMade }) => status === 'PENDING' && attemptsMade === 0)).toBe(true);
    await world.runUntil(59);
    expect(world.sent).toHaveLength(5);
    await world.runUntil(24 * 3600);
    expect(world.deliveries.all().map(({ status }) => status)).toEqual(ids.map(() => 'DELIVERED'));
    expect(world.health.of(WEBHOOK)?.failures).toBe(0);
  });

  test('has one queue for the first two attempts and one for the later ones', async () => {
    const world = deliveryWorld(always({ statusCode: 500 }), webhookOf());
    await told(world);
    const queues = [world.queued[0]?.queue];
    for (const at of [0, 5, 305]) {
      await world.runUntil(at);
      queues.push(world.queued[0]?.queue);
    }
    expect(queues).toEqual(['first', 'first', 'retries', undefined]);
    await world.runUntil(2100);
    expect(world.queued.map(({ queue }) => queue)).toEqual(['retries']);
  });
});

describe('a line of the first call says how many seconds after its event it began', () => {
  /** An endpoint that has answered before, and an event whose message has waited for 90 seconds. */
  async function late(prepare: (world: DeliveryWorld) => void = () => undefined, eventId = eventNo(2)) {
    const lines = captureLogs();
    const world = deliveryWorld(always({ statusCode: 200 }), webhookOf());
    await told(world);
    await world.runUntil(1);
    prepare(world);
    const event = eventOf(eventId, { occurredAt: world.clock.now().toISOString() });
    world.events.put(event);
    world.clock.advance(90);
    await world.fanOut(event);
    const message = parseDeliveryMessage(world.queued[0]?.body ?? '');
    if ('probe' in message) throw new Error('It is no delivery.');
    const secondsIn = (waited: number, lane?: 'first' | 'retries') =>
      withFields({}, async () => {
        await world.deliver({ ...message, waited }, lane);
        log.info('MESSAGE_HANDLED');
        return lines.at(-1)?.fields['secondsToFirstCall'];
      });
    return { world, secondsIn };
  }

  test('when only the service decides when that is', async () => {
    const { secondsIn, world } = await late();
    expect(await secondsIn(0)).toBe(90);
    expect(world.sent).toHaveLength(2);
  });

  test.each([
    ['it waited for a slot', 5, 'first', eventNo(2)],
    ['it waited for an open circuit, or its message was dropped for want of a slot', 0, 'retries', eventNo(2)],
    ['another service published it', 0, 'first', externalEventId('payments.payouts', 'event-1')],
  ] as const)('but not when %s', async (_, waited, lane, eventId) => {
    const { secondsIn, world } = await late(undefined, eventId);
    expect(await secondsIn(waited, lane)).toBeUndefined();
    expect(world.sent).toHaveLength(2);
  });

  test.each(['UNKNOWN', 'ANSWERS_AGAIN'] as const)('but not when the endpoint is %s', async (responsiveness) => {
    const { secondsIn } = await late(({ steps }) => {
      steps.responsiveness = async () => responsiveness;
    });
    expect(await secondsIn(0)).toBeUndefined();
  });

  test.each([
    ['also when a fault of the service has put it off', false, 150],
    ['but not when an open circuit did so after the fault', true, undefined],
  ])('%s', async (_, isOpen, expected) => {
    const { secondsIn, world } = await late();
    const { findEvent, requestAttempt } = world.steps;
    world.steps.findEvent = async () => Promise.reject(new Error('KMSInvalidStateException'));
    expect(await secondsIn(0)).toBeUndefined();
    world.steps.findEvent = findEvent;
    world.clock.advance(57);
    await secondsIn(0);
    expect(world.sent).toHaveLength(1);
    world.clock.advance(3);
    if (isOpen) {
      const until = world.clock.now().toISOString();
      world.steps.requestAttempt = async () => ({ state: 'CIRCUIT_OPEN', until });
      await secondsIn(0, 'retries');
      world.steps.requestAttempt = requestAttempt;
    }
    expect(await secondsIn(0, 'retries')).toBe(expected);
    expect(world.sent).toHaveLength(2);
  });

  test('but not of a repeated attempt', async () => {
    const { secondsIn, world } = await late();
    const { claim } = world.steps;
    world.steps.claim = async (...given) => {
      const claimed = await claim(...given);
      if (claimed.state !== 'CLAIMED') return claimed;
      const made = { at: claimed.delivery.createdAt, trigger: 'SCHEDULED', statusCode: 500, durationMs: 1 } as const;
      return { ...claimed, delivery: { ...claimed.delivery, attempts: [made] } };
    };
    expect(await secondsIn(0)).toBeUndefined();
  });
});
