import { describe, expect, test } from 'vitest';
import { replayClientEvents } from '#functions/webhooks/replay-client-events/replay-client-events.ts';
import { UNPUBLISHED } from '#shared/events/event-repository.ts';
import { eventPlace, type ServiceEvent, withKey } from '#shared/events/service-event.ts';
import { CannotHandleYet } from '#shared/platform/aws/messages.ts';
import { messageLostAt } from '#shared/platform/dynamodb/due-queue.ts';
import { shardOf } from '#shared/platform/dynamodb/index-entries.ts';
import type { DeliveryMessage } from '#shared/webhooks/delivery/delivery-messages.ts';
import type { ReplayMessage } from '#shared/webhooks/delivery/replay-messages.ts';
import { type Delivery, deliveryIdOf, newDelivery } from '#shared/webhooks/model/delivery.ts';
import type { AttemptOutcome } from '#shared/webhooks/model/delivery-outcome.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { deliveriesInMemory } from '#test/support/deliveries-in-memory.ts';
import { eventNo, eventOf, eventsInMemory } from '#test/support/events-in-memory.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CLIENT, STRANGER, WEBHOOK } from '#test/support/ids.ts';
import { slotsInMemory } from '#test/support/slots-in-memory.ts';
import { webhookOf, webhooksInMemory } from '#test/support/webhooks-in-memory.ts';

const START = Date.parse('2026-11-21T12:00:00.000Z');
const at = (seconds: number) => new Date(START + seconds * 1000).toISOString();

/** Events happen in the first hour; the replay of that hour is asked for at its end. */
const REQUESTED = at(3600);
const request: ReplayMessage = {
  clientId: CLIENT,
  webhookId: WEBHOOK,
  since: at(0),
  until: REQUESTED,
  requestedAt: REQUESTED,
};

const happening = (seconds: number, differences: Partial<ServiceEvent> = {}) =>
  eventOf(eventNo(seconds), { occurredAt: at(seconds), ...differences });

function world(...happened: readonly ServiceEvent[]) {
  const clock = fakeClock(REQUESTED);
  const [deliveries, events, webhooks] = [deliveriesInMemory(), eventsInMemory(), webhooksInMemory(webhookOf())];
  events.putPublished(...happened);
  const messages: DeliveryMessage[] = [];
  const rest: ReplayMessage[] = [];
  const delays: number[] = [];
  const slots = slotsInMemory(clock);
  let ids = 0;
  /** Steps to the outside, so that a test can break or delay any of them. */
  const steps = {
    create: deliveries.create,
    sendDeliveryMessage: async (message: DeliveryMessage) => {
      messages.push(message);
    },
  };
  const replay = (message: ReplayMessage = request) =>
    replayClientEvents({
      events,
      webhooks,
      queue: { create: steps.create, requeue: deliveries.requeue },
      slots,
      sendDeliveryMessage: steps.sendDeliveryMessage,
      sendReplayMessage: async (next, delay) => {
        rest.push(next);
        delays.push(delay);
      },
      clock,
      newId: () => `run ${ids++}`,
    })(message);

  const delivered = (seconds: number) => deliveries.kept(deliveryIdOf(eventNo(seconds), WEBHOOK))?.delivery;

  /** Begins the delivery of an event at the time of the event; makes its first attempt if there is an outcome. */
  async function begin(event: ServiceEvent, outcome?: AttemptOutcome): Promise<void> {
    const now = new Date(event.occurredAt);
    const delivery = newDelivery(event, webhookOf(), 'SCHEDULED', now);
    await deliveries.create(delivery, messageLostAt(now), now);
    if (outcome !== undefined) await attempt(delivery, now, outcome);
  }

  async function attempt({ deliveryId }: Delivery, now: Date, outcome: AttemptOutcome): Promise<void> {
    const number = (deliveries.kept(deliveryId)?.delivery.attempts.length ?? 0) + 1;
    const claim = await deliveries.claim(deliveryId, number, 'token', now);
    if (claim.state !== 'CLAIMED') throw new Error(`The attempt is ${claim.state}.`);
    await deliveries.finish(claim.delivery, { at: now.toISOString(), statusCode: 200, durationMs: 1 }, outcome);
  }

  /** Attempts every pending delivery, with success. */
  async function arrive(): Promise<void> {
    for (const delivery of deliveries.all()) {
      if (delivery.status === 'PENDING') await attempt(delivery, clock.now(), { status: 'DELIVERED' });
    }
  }

  return {
    clock,
    deliveries,
    events,
    webhooks,
    slots,
    messages,
    rest,
    delays,
    steps,
    replay,
    delivered,
    begin,
    arrive,
  };
}

/** Ids of the events that the messages deliver. */
const secondsOf = (messages: readonly DeliveryMessage[], happened: readonly ServiceEvent[]) =>
  messages.map(({ deliveryId }) => {
    const event = happened.find(({ eventId }) => deliveryIdOf(eventId, WEBHOOK) === deliveryId);
    return event?.eventId;
  });

test.each([
  ['of the client', { place: eventPlace(eventNo(2), new Date(at(2))) }],
  ['of anybody, which the bus does not have yet', { unpublishedIn: shardOf(UNPUBLISHED, '1'), clientId: STRANGER }],
])('decisions 12, boundary: an event that cannot be read hides no other from a replay: one %s', async (_, kept) => {
  const lines = captureLogs();
  const { events, webhooks, replay, delivered, rest } = world(happening(1), happening(3));
  // The webhook became active within the replayed hour: the replay also reads events that the bus does not have yet.
  webhooks.put({ ...webhookOf(), activeSince: at(1800) });
  const { body: ___, ...broken } = withKey(happening(2));
  events.putItems({ ...broken, ...kept });
  await replay();
  expect([delivered(1), delivered(2), delivered(3)].map((one) => one?.status)).toEqual([
    'PENDING',
    undefined,
    'PENDING',
  ]);
  expect([rest, lines.map(({ code }) => code)]).toEqual([[], ['ITEM_UNREADABLE']]);
});

describe('decisions 7, delivery log: a replay brings', () => {
  test('the events of its period that the webhook subscribes to, and nothing else', async () => {
    const happened = [
      happening(0),
      happening(1, { type: 'compliance.client.status_changed' }),
      happening(2, { clientId: 'another' }),
      happening(3600),
      happening(3601),
    ];
    const early = eventOf(eventNo(9), { occurredAt: new Date(START - 1).toISOString() });
    const { deliveries, messages, replay } = world(early, ...happened);
    await replay();
    expect(secondsOf(messages, happened)).toEqual([eventNo(0), eventNo(3600)]);
    expect(deliveries.all().map(({ eventId, trigger }) => [eventId, trigger])).toEqual([
      [eventNo(0), 'REPLAY'],
      [eventNo(3600), 'REPLAY'],
    ]);
  });

  test('also events from while the webhook was inactive, or before it existed', async () => {
    const { webhooks, messages, replay } = world(happening(10));
    await webhooks.change(webhookOf(), { activeSince: at(3000) });
    await replay();
    expect(messages).toHaveLength(1);
  });

  test.each<[string, AttemptOutcome]>([
    ['arrived', { status: 'DELIVERED' }],
    ['failed', { status: 'FAILED', reason: 'EXHAUSTED' }],
  ])('what %s is sent once more, under its own id', async (_, outcome) => {
    const { begin, delivered, messages, replay } = world(happening(10));
    await begin(happening(10), outcome);
    await replay();
    const asked = { status: 'PENDING', trigger: 'REPLAY', eventId: eventNo(10), nextAttemptAt: REQUESTED };
    expect(delivered(10)).toMatchObject({ ...asked, attemptsMade: 0, attempts: [expect.anything()] });
    expect(messages).toEqual([expect.objectContaining({ deliveryId: deliveryIdOf(eventNo(10), WEBHOOK), attempt: 2 })]);
  });

  test.each<[string, AttemptOutcome | undefined]>([
    ['its first attempt', undefined],
    ['a retry within half an hour', { status: 'PENDING', nextAttemptAt: at(3600 + 1800) }],
  ])('what waits for %s is on its way and stays as it is', async (_, outcome) => {
    const { begin, delivered, messages, replay } = world(happening(10));
    await begin(happening(10), outcome);
    const before = delivered(10);
    await replay();
    expect(delivered(10)).toEqual(before);
    expect(messages).toEqual([]);
  });

  test('what waits for a later retry is not left to it, which may be a day away: it is sent', async () => {
    const { begin, delivered, messages, replay } = world(happening(10));
    await begin(happening(10), { status: 'PENDING', nextAttemptAt: at(3600 + 1801) });
    await replay();
    expect(delivered(10)).toMatchObject({ status: 'PENDING', trigger: 'REPLAY', nextAttemptAt: at(3600) });
    expect(messages).toHaveLength(1);
  });

  test('what waits from before a reactivation is not on its way: it is sent', async () => {
    const { begin, delivered, messages, replay, webhooks } = world(happening(10));
    await begin(happening(10), { status: 'PENDING', nextAttemptAt: at(3900) });
    await webhooks.change(webhookOf(), { activeSince: at(3000) });
    await replay();
    expect(delivered(10)).toMatchObject({ status: 'PENDING', trigger: 'REPLAY', nextAttemptAt: at(3602) });
    expect(messages).toHaveLength(1);
  });
});

describe('decisions 11, putting right: a replay of what has not arrived brings', () => {
  const undelivered = { ...request, undeliveredOnly: true } as const;

  test('what has failed, and what was cancelled', async () => {
    const { begin, delivered, deliveries, messages, replay } = world(happening(10), happening(20));
    await begin(happening(10), { status: 'FAILED', reason: 'EXHAUSTED' });
    await begin(happening(20));
    const claim = await deliveries.claim(deliveryIdOf(eventNo(20), WEBHOOK), 1, 'token', new Date(at(20)));
    if (claim.state !== 'CLAIMED') throw new Error(`The attempt is ${claim.state}.`);
    await deliveries.end(claim.delivery, 'CANCELLED', 'WEBHOOK_INACTIVE');
    await replay(undelivered);
    const asked = { status: 'PENDING', trigger: 'REPLAY', attemptsMade: 0 };
    expect([delivered(10), delivered(20)]).toMatchObject([asked, asked]);
    expect(messages).toHaveLength(2);
  });

  test('what a restore has lost: an event without a delivery', async () => {
    const { delivered, messages, replay } = world(happening(10));
    await replay(undelivered);
    expect(delivered(10)).toMatchObject({ status: 'PENDING', trigger: 'REPLAY' });
    expect(messages).toHaveLength(1);
  });

  test('nothing that has arrived, is on its way, or happened before the webhook was active', async () => {
    const happened = [happening(10), happening(20), happening(5)];
    const { begin, deliveries, messages, replay, webhooks } = world(...happened);
    await webhooks.change(webhookOf(), { activeSince: at(6) });
    await begin(happening(10), { status: 'DELIVERED' });
    await begin(happening(20), { status: 'PENDING', nextAttemptAt: at(9000) });
    const before = deliveries.all();
    await replay(undelivered);
    expect([deliveries.all(), messages]).toEqual([before, []]);
  });
});

describe('decisions 7, delivery log: a replay that is repeated repeats nothing', () => {
  test('even once everything has arrived', async () => {
    const { arrive, clock, deliveries, messages, replay } = world(happening(10), happening(20));
    await replay();
    clock.advance(60);
    await arrive();
    await replay();
    expect(messages).toHaveLength(2);
    expect(deliveries.all().map(({ status, attempts }) => [status, attempts.length])).toEqual([
      ['DELIVERED', 1],
      ['DELIVERED', 1],
    ]);
  });

  test('and one that dies goes on where it left something to do', async () => {
    const happened = Array.from({ length: 60 }, (_, second) => happening(second));
    const { arrive, deliveries, messages, replay, steps } = world(...happened);
    let made = 0;
    steps.create = async (...given) => {
      made += 1;
      if (made > 40) throw new Error('killed');
      return deliveries.create(...given);
    };
    await expect(replay()).rejects.toThrow('killed');
    await arrive();
    steps.create = deliveries.create;
    await replay();
    await arrive();
    const attempts = deliveries.all().map(({ attempts }) => attempts.length);
    expect(attempts).toEqual(happened.map(() => 1));
    expect(messages).toHaveLength(60);
  });

  test('and what was asked for without its message is left to the sweep', async () => {
    const { delivered, deliveries, messages, replay, steps } = world(happening(10));
    const send = steps.sendDeliveryMessage;
    steps.sendDeliveryMessage = async () => {
      throw new Error('SQS is down');
    };
    await expect(replay()).rejects.toThrow('SQS is down');
    steps.sendDeliveryMessage = send;
    await replay();
    expect(messages).toEqual([]);
    expect(delivered(10)?.status).toBe('PENDING');
    expect(deliveries.kept(deliveryIdOf(eventNo(10), WEBHOOK))?.dueAt).toBe(at(3900));
  });
});

describe('decisions 7, delivery log: a replay of more than one run has time for', () => {
  /** Every delivery takes the run a minute. */
  function slowWorld(...happened: readonly ServiceEvent[]) {
    const slow = world(...happened);
    slow.steps.create = async (...given) => {
      slow.clock.advance(60);
      return slow.deliveries.create(...given);
    };
    return slow;
  }

  test('hands the rest on, which goes on with the instant that was reached', async () => {
    const happened = Array.from({ length: 60 }, (_, second) => happening(second));
    const { deliveries, messages, replay, rest } = slowWorld(...happened);
    await replay();
    const placeOf25th = eventPlace(eventNo(24), new Date(at(24)));
    expect(rest).toEqual([{ ...request, after: placeOf25th, seen: 25 }]);
    for (let run = 0; run < 5 && rest[run] !== undefined; run += 1) await replay(rest[run]);
    expect(rest.map(({ seen }) => seen)).toEqual([25, 50, 60]);
    expect(deliveries.all()).toHaveLength(60);
    expect(new Set(secondsOf(messages, happened)).size).toBe(60);
    expect(messages).toHaveLength(60);
  });

  test('leaves out no event of one instant, however many there are', async () => {
    const happened = Array.from({ length: 60 }, (_, number) => eventOf(eventNo(number), { occurredAt: at(0) }));
    const { messages, replay, rest } = slowWorld(...happened);
    await replay();
    for (let run = 0; run < 5 && rest[run] !== undefined; run += 1) await replay(rest[run]);
    expect([messages.length, rest.length]).toEqual([60, 3]);
  });
});

describe('decisions 7, managing: an event of the period that is published late', () => {
  const published = (late: ServiceEvent, seconds: number) => ({
    ...withKey(late),
    place: eventPlace(late.eventId, new Date(at(seconds))),
  });

  test('is replayed wherever its place is, and by a clock that is behind; what happened at another time is not', async () => {
    const { events, replay, messages } = world();
    const [late, early, other] = [happening(10), happening(0), happening(3601)];
    events.putItems(published(late, 3700), published(early, -50), published(other, 3500));
    await replay();
    expect(secondsOf(messages, [late, early, other])).toEqual([eventNo(0), eventNo(10)]);
  });

  test('comes to a webhook that was not active then: the replay waits until the bus has it, and sees the end again', async () => {
    const { events, webhooks, clock, replay, messages, rest, delays } = world(happening(20));
    await webhooks.change(webhookOf(), { activeSince: at(3000) });
    const late = happening(10);
    events.put(late);
    await replay();
    expect([secondsOf(messages, [late, happening(20)]), delays]).toEqual([[eventNo(20)], [30]]);
    clock.advance(30);
    await events.markPublished(late.eventId, clock);
    await replay(rest[0]);
    expect([secondsOf(messages.slice(1), [late]), rest.length]).toEqual([[eventNo(10)], 1]);
  });

  test.each([
    ['of another client', { clientId: STRANGER }],
    ['of another process', { type: 'wallet_transfer.made' }],
    ['from before the period', { occurredAt: '2020-01-01T00:00:00.000Z' }],
  ])('is not waited for when it is %s: one that the bus never takes would hold every replay', async (_, stuck) => {
    const { events, webhooks, replay, rest } = world();
    await webhooks.change(webhookOf(), { activeSince: at(3000) });
    events.put(happening(10, stuck));
    await replay();
    expect(rest).toEqual([]);
  });

  test('is not waited for by one that was active, which gets it as it is published', async () => {
    const { events, replay, rest } = world();
    events.put(happening(10));
    await replay();
    expect(rest).toEqual([]);
  });
});

describe('decisions 7, delivery log: a replay stops', () => {
  const happened = Array.from({ length: 60 }, (_, second) => happening(second));

  test.each([
    ['inactive', { status: false }],
    ['reactivated, which asks for nothing old', { activeSince: at(3601) }],
  ])('%s', async (_, changes) => {
    const { deliveries, messages, replay, rest, steps, webhooks } = world(...happened);
    steps.create = async (...given) => {
      if (messages.length === 0) await webhooks.change(webhookOf(), changes).catch(() => undefined);
      return deliveries.create(...given);
    };
    await replay();
    expect([messages.length, rest]).toEqual([25, []]);
    await replay();
    expect(messages).toHaveLength(25);
  });

  test('when its webhook no longer exists: nothing is sent', async () => {
    const { messages, replay } = world(happening(10));
    await replay({ ...request, clientId: 'another' });
    await replay({ ...request, webhookId: 'another' });
    expect(messages).toEqual([]);
  });
});

describe('decisions 7, isolation: a replay of two weeks beside others', () => {
  const [PROMPT, MANY] = [100, 350];
  const happened = Array.from({ length: MANY }, (_, second) => happening(second));

  test('sends the messages of its first deliveries, and leaves the others to the sweep, which gives all their turn', async () => {
    const { deliveries, messages, replay } = world(...happened);
    await replay();
    expect(messages).toHaveLength(PROMPT);
    const sent = new Set(messages.map(({ deliveryId }) => deliveryId));
    for (const { deliveryId } of deliveries.all()) {
      // A delivery whose message was sent counts as lost in five minutes; the others are due now.
      expect(deliveries.kept(deliveryId)?.dueAt).toBe(at(sent.has(deliveryId) ? 3900 : 3600));
    }
    expect(deliveries.all()).toHaveLength(MANY);
  });

  test('has one run at a time, whatever its client asks for: the others wait half a minute for their turn', async () => {
    const { slots, messages, rest, delays, replay } = world(happening(10));
    const held = await slots.acquire(`replays#${CLIENT}`, 1, 'another run');
    await replay();
    expect([messages, rest, delays]).toEqual([[], [request], [30]]);
    if (held.state === 'ACQUIRED') await slots.release(held.slot);
    await replay();
    expect(messages).toHaveLength(1);
    expect(slots.held()).toBe(0);
  });

  test('keeps a copy of its message in the queue while a run is at work: new messages would multiply, and none may be lost', async () => {
    const { steps, deliveries, rest, replay } = world(happening(10));
    const other: ReplayMessage = { ...request, since: at(1) };
    steps.create = async (...given) => {
      steps.create = deliveries.create;
      await expect(replay()).rejects.toThrow(CannotHandleYet);
      await replay(other);
      return deliveries.create(...given);
    };
    await replay();
    expect(rest).toEqual([other]);
  });

  test('gives its turn back when it fails', async () => {
    const { slots, steps, replay } = world(happening(10));
    steps.create = async () => {
      throw new Error('throttled');
    };
    await expect(replay()).rejects.toThrow('throttled');
    expect(slots.held()).toBe(0);
  });
});

test('decisions 10: a replay is of at most 50,000 events, of all its runs; what was missed in a pause, and what operators ask for, is sent whole', async () => {
  const lines = captureLogs();
  const happened = Array.from({ length: 60 }, (_, second) => happening(second));
  const asked = world(...happened);
  await asked.replay({ ...request, seen: 49_999 });
  // No more deliveries are begun than the events of one read.
  expect(asked.deliveries.all()).toHaveLength(25);
  expect([asked.rest, lines.map(({ code }) => code)]).toEqual([[], ['REPLAY_CUT']]);
  const missed = world(...happened);
  await missed.replay({ ...request, seen: 49_999, missedOnly: true });
  expect(missed.deliveries.all()).toHaveLength(60);
  const failed = world(...happened);
  // The delivery that failed comes after those that arrived.
  for (const event of happened.slice(0, 59)) await failed.begin(event, { status: 'DELIVERED' });
  await failed.begin(happening(59), { status: 'FAILED', reason: 'EXHAUSTED' });
  await failed.replay({ ...request, seen: 49_999, undeliveredOnly: true });
  expect(failed.delivered(59)?.status).toBe('PENDING');
});
