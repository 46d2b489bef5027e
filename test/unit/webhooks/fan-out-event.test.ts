import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { fanOutEvent } from '#functions/webhooks/fan-out-event/fan-out-event.ts';
import { eventTypeOf, publishedEvents as ownEvents } from '#infra/webhooks/published-events.ts';
import { queuedEvent } from '#shared/events/notified-events.ts';
import { externalEventId } from '#shared/events/service-event.ts';
import type { DeliveryMessage } from '#shared/webhooks/delivery/delivery-messages.ts';
import { deliveryIdOf } from '#shared/webhooks/model/delivery.ts';
import type { Webhook } from '#shared/webhooks/model/webhook.ts';
import { REFUSED_CALL } from '#test/support/call-summaries.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { deliveriesInMemory } from '#test/support/deliveries-in-memory.ts';
import { eventNo, eventOf, eventsInMemory } from '#test/support/events-in-memory.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { healthInMemory } from '#test/support/health-in-memory.ts';
import { CLIENT, STRANGER, WEBHOOK } from '#test/support/ids.ts';
import { webhookOf, webhooksInMemory } from '#test/support/webhooks-in-memory.ts';

const NOW = '2026-11-21T12:00:01.000Z';
const OCCURRED = '2026-11-21T12:00:00.000Z';
const EVENT = eventNo(1);

const OWN = 'payments.ramp';
const PARTNER = 'partner.demo';
const SECOND_PARTNER = 'partner.second';
const ownTypes = ownEvents.map(eventTypeOf);

function fannedOut(...webhooks: readonly Webhook[]) {
  const [events, deliveries] = [eventsInMemory(), deliveriesInMemory()];
  const messages: DeliveryMessage[] = [];
  const clock = fakeClock(NOW);
  const health = healthInMemory(clock);
  const { put, ...stored } = webhooksInMemory(...webhooks);
  const fanOut = fanOutEvent({
    events,
    webhooks: stored,
    deliveries,
    health,
    sendMessage: async (message) => {
      messages.push(message);
    },
    clock,
    notifying: { ownTypes, otherSources: [PARTNER, SECOND_PARTNER] },
  });
  const take = (message: unknown) => fanOut(queuedEvent.parse(message));
  /** Hands over an event of the given source; without one, the service is the source of its own types. */
  const tell = (
    type: string,
    detail: Readonly<Record<string, unknown>>,
    source = ownTypes.includes(type) ? OWN : PARTNER,
  ) => take({ source, 'detail-type': type, detail: { clientId: CLIENT, occurredAt: NOW, ...detail } });
  return { events, deliveries, health, messages, take, tell, put };
}

test('decisions 12, boundary: a webhook that cannot be read hides no other of its client, and the event is handed over again until it can be read', async () => {
  const broken = { ...webhookOf({ webhookId: '44444444-5555-4555-8555-555555555555' }), secrets: 'none' };
  const { events, deliveries, messages, tell, put } = fannedOut(webhookOf());
  events.put(eventOf(EVENT));
  put(broken);
  const told = () => tell('ramp.operation.status_changed', { eventId: EVENT, schemaVersion: 1, occurredAt: OCCURRED });
  await expect(told()).rejects.toThrow(broken.webhookId);
  await expect(told()).rejects.toThrow(broken.webhookId);
  expect([deliveries.all().length, messages.length]).toEqual([1, 1]);
  put({ ...broken, secrets: [] });
  await told();
  expect([deliveries.all().length, messages.length]).toEqual([2, 2]);
});

describe('decisions 7: an event of this service', () => {
  test('becomes one delivery for each webhook that subscribes to it, and a message that says neither where to nor what', async () => {
    const { events, deliveries, messages, tell } = fannedOut(webhookOf());
    events.put(eventOf(EVENT));
    await tell('ramp.operation.status_changed', { eventId: EVENT, schemaVersion: 1, occurredAt: OCCURRED });
    expect(deliveries.all()).toMatchObject([
      { deliveryId: deliveryIdOf(EVENT, WEBHOOK), eventId: EVENT, status: 'PENDING', trigger: 'SCHEDULED' },
    ]);
    const message = {
      deliveryId: deliveryIdOf(EVENT, WEBHOOK),
      clientId: CLIENT,
      webhookId: WEBHOOK,
      attempt: 1,
      waited: 0,
    };
    expect(messages).toEqual([{ ...message, isOnly: true }]);
    const beside = fannedOut(
      webhookOf(),
      webhookOf({ webhookId: '66666666-5555-4555-8555-555555555555', process: 'compliance' }),
    );
    beside.events.put(eventOf(EVENT));
    await beside.tell('ramp.operation.status_changed', { eventId: EVENT, schemaVersion: 1, occurredAt: OCCURRED });
    expect(beside.messages).toEqual([message]);
  });
});

describe('decisions 7: an event of another service', () => {
  test.each(['ramp.quote.expired', 'compliance.Document-Requested', 'wallet_transfer.completed'])(
    '%s is delivered the same way, its detail but for whose and when as data',
    async (type) => {
      const process = type.split('.')[0];
      const hearing = webhookOf({ process: z.enum(['ramp', 'compliance', 'wallet_transfer']).parse(process) });
      const { events, deliveries, tell } = fannedOut(hearing);
      const occurredAt = '2026-11-21T07:00:01.5-05:00';
      await tell(type, { eventId: 'transfer-77', occurredAt, transferId: 'tr_1', amount: '1.50' });
      const eventId = externalEventId(PARTNER, 'transfer-77');
      const kept = await events.find(eventId);
      expect(JSON.parse(kept?.body ?? '')).toEqual({
        type,
        timestamp: '2026-11-21T12:00:01.500Z',
        data: { transferId: 'tr_1', amount: '1.50' },
      });
      expect(deliveries.all()).toMatchObject([{ eventId, type, status: 'PENDING' }]);
    },
  );

  test.each([PARTNER, OWN])(
    'of %s under an id that it gave to another event is not delivered, and somebody is told',
    async (source) => {
      const lines = captureLogs();
      const { events, deliveries, tell } = fannedOut(webhookOf());
      const [type, eventId] = ['ramp.operation.created', source === OWN ? EVENT : 'quote-1'];
      if (source === OWN) events.put(eventOf(EVENT, { type }));
      else await tell(type, { eventId, occurredAt: OCCURRED, clientId: CLIENT }, source);
      const made = deliveries.all().length;
      await tell('ramp.quote.expired', { eventId, occurredAt: OCCURRED }, source);
      await tell(type, { eventId, occurredAt: NOW }, source);
      await tell(type, { eventId, occurredAt: OCCURRED, clientId: STRANGER }, source);
      const reused = { level: 'error', code: 'EVENT_ID_REUSED' };
      expect(lines).toMatchObject([reused, reused, reused]);
      expect(deliveries.all()).toHaveLength(made);
    },
  );

  test('under an id that is ours, or of another source, takes the place of neither and is hidden by neither', async () => {
    const { events, deliveries, tell } = fannedOut(webhookOf());
    await tell('ramp.quote.expired', { eventId: EVENT, by: 1 });
    await tell('ramp.quote.expired', { eventId: EVENT, by: 2 }, SECOND_PARTNER);
    events.put(eventOf(EVENT));
    await tell('ramp.operation.status_changed', { eventId: EVENT, occurredAt: OCCURRED });
    const ids = [externalEventId(PARTNER, EVENT), externalEventId(SECOND_PARTNER, EVENT), EVENT];
    expect(new Set(deliveries.all().map(({ eventId }) => eventId))).toEqual(new Set(ids));
    const bodies = await Promise.all(ids.map(async (id) => JSON.parse((await events.find(id))?.body ?? '')));
    expect(bodies).toMatchObject([{ data: { by: 1 } }, { data: { by: 2 } }, { data: { status: 'PENDING' } }]);
  });

  test('that comes twice at the same time is one event and one delivery', async () => {
    const { deliveries, tell } = fannedOut(webhookOf());
    await Promise.all([1, 2, 3].map(() => tell('ramp.quote.expired', { eventId: 'quote-1' })));
    expect(deliveries.all()).toHaveLength(1);
  });

  test.each([
    ['without a client', { clientId: undefined }],
    ['without an id', { eventId: undefined }],
    ['with an id that could not be signed unambiguously', { eventId: 'a.b' }],
    ['with an id that leaves no room for its source', { eventId: 'x'.repeat(101) }],
    ['without a time', { occurredAt: 'yesterday' }],
    ['in a year that no receiver reads', { occurredAt: '9999-12-31T23:59:59-05:00' }],
    ['before the first year', { occurredAt: '0000-01-01T00:00:00+05:00' }],
  ])('%s is refused, and goes to the dead letters', (_, wrong) => {
    const { tell } = fannedOut();
    expect(() => tell('ramp.quote.expired', { eventId: 'quote-1', ...wrong })).toThrow();
  });
});

describe('decisions 7, event types: an event with a type of ours or from an unknown source reaches no webhook, and is logged as an error', () => {
  const forged = { eventId: 'evt_forged', status: 'COMPLETED', previousStatus: 'PENDING', sequence: 99 };
  const webhooks = (['ramp', 'compliance', 'wallet_transfer'] as const).map((process, index) =>
    webhookOf({ process, webhookId: WEBHOOK.replace(/.$/, String(index)) }),
  );

  test.each(ownTypes.filter((type) => !type.startsWith('webhook.')))(
    '%s of a service that may notify',
    async (type) => {
      const lines = captureLogs();
      const { events, deliveries, messages, tell } = fannedOut(...webhooks);
      await tell(type, forged, PARTNER);
      expect([await events.find(externalEventId(PARTNER, 'evt_forged')), deliveries.all(), messages]).toEqual([
        undefined,
        [],
        [],
      ]);
      expect(lines).toMatchObject([{ level: 'error', code: 'EVENT_NOT_OURS', fields: { source: PARTNER, type } }]);
    },
  );

  test.each([EVENT, 'evt_forged'])(
    'an event with our source, %s, that is not in its table yet: it fails and comes again',
    async (eventId) => {
      const { events, deliveries, tell } = fannedOut(...webhooks);
      await expect(tell('ramp.operation.status_changed', { ...forged, eventId })).rejects.toThrow('not in its table');
      expect([await events.find(eventId), deliveries.all()]).toEqual([undefined, []]);
    },
  );

  test.each(['some.other.app', 'payments.compliance', 'payments.payouts', 'Payments.ramp', 'partner.demo.other', ''])(
    'any type from the source %j, which the settings do not name',
    async (source) => {
      const lines = captureLogs();
      const { deliveries, tell, take } = fannedOut(...webhooks);
      await tell('ramp.operation.status_changed', forged, source);
      await tell('wallet_transfer.settled', forged, source);
      // The message as the rule of the bus forwards it.
      const detail = { clientId: CLIENT, occurredAt: NOW, ...forged };
      await take({ notOurs: { source, 'detail-type': 'ramp.operation.status_changed', detail } });
      expect(deliveries.all()).toEqual([]);
      expect(lines.map(({ code, fields }) => [code, fields['source']])).toEqual(
        [1, 2, 3].map(() => ['EVENT_NOT_OURS', source]),
      );
    },
  );

  test('an event that the rule of the bus has marked, whatever its own source says', async () => {
    const { deliveries, take } = fannedOut(...webhooks);
    const event = {
      source: OWN,
      'detail-type': 'ramp.operation.status_changed',
      detail: { clientId: CLIENT, occurredAt: NOW, ...forged },
    };
    await take({ ...event, notOurs: event });
    expect(deliveries.all()).toEqual([]);
  });
});

describe('decisions 7, payload: an event that is larger than 64 KB', () => {
  const large = { note: 'é'.repeat(33 * 1024) };

  test('of another service makes no event and no delivery; it is logged as an error, and does not fail for ever', async () => {
    const lines = captureLogs();
    const { events, deliveries, messages, tell } = fannedOut(webhookOf());
    await tell('ramp.quote.expired', { eventId: 'quote-1', ...large });
    expect([await events.find(externalEventId(PARTNER, 'quote-1')), deliveries.all(), messages]).toEqual([
      undefined,
      [],
      [],
    ]);
    expect(lines).toMatchObject([
      { level: 'error', code: 'EVENT_TOO_LARGE', fields: { eventId: externalEventId(PARTNER, 'quote-1') } },
    ]);
  });
});

describe('decisions 7, how many: an event of a client with a hundred webhooks', () => {
  const ofOne = Array.from({ length: 100 }, (_, index) =>
    webhookOf({ webhookId: WEBHOOK.replace(/.{3}$/, String(index).padStart(3, '0')) }),
  );
  const tellOnce = ({ tell }: ReturnType<typeof fannedOut>) => tell('ramp.quote.expired', { eventId: 'quote-1' });

  test('is made for them in groups at the same time, and not for one after another', async () => {
    const world = fannedOut(...ofOne);
    const { create } = world.deliveries;
    let [underWay, most] = [0, 0];
    world.deliveries.create = async (...given) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise(setImmediate);
      underWay -= 1;
      return create(...given);
    };
    await tellOnce(world);
    expect(most).toBe(25);
    expect([world.deliveries.all().length, world.messages.length]).toEqual([100, 100]);
  });

  test('that comes again, makes and sends nothing a second time', async () => {
    const world = fannedOut(...ofOne);
    const { create } = world.deliveries;
    let left = 60;
    world.deliveries.create = async (...given) => {
      left -= 1;
      if (left < 0) throw new Error('throttled');
      return create(...given);
    };
    await expect(tellOnce(world)).rejects.toThrow('throttled');
    const made = world.messages.length;
    world.deliveries.create = create;
    await tellOnce(world);
    await tellOnce(world);
    expect(made).toBeGreaterThanOrEqual(50);
    expect(world.messages).toHaveLength(100);
    expect(new Set(world.messages.map(({ deliveryId }) => deliveryId)).size).toBe(100);
  });

  test('whose endpoints are all dead puts no message into the queue of first attempts once they are parked', async () => {
    const world = fannedOut(...ofOne);
    for (const webhook of ofOne.slice(1)) {
      for (const token of ['1', '2', '3', '4', '5']) await world.health.recordResult(webhook, token, REFUSED_CALL);
    }
    await tellOnce(world);
    const [first] = ofOne;
    expect(world.messages.map(({ webhookId }) => webhookId)).toEqual([first?.webhookId]);
    const waiting = world.deliveries.all().filter(({ webhookId }) => webhookId !== first?.webhookId);
    expect(waiting).toHaveLength(99);
    for (const { deliveryId, status, nextAttemptAt } of waiting) {
      // A minute, and some 15 seconds of jitter.
      expect([status, nextAttemptAt]).toEqual(['PENDING', '2026-11-21T12:01:16.000Z']);
      expect(world.deliveries.kept(deliveryId)?.dueAt).toBe(nextAttemptAt);
    }
  });
});
