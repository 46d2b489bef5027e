import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, test } from 'vitest';
import { getEvent } from '#functions/events/get-event/get-event.ts';
import { listEvents } from '#functions/events/list-events/list-events.ts';
import { getEventContract, listEventsContract } from '#shared/events/event-contract.ts';
import { createEventFeed, feedCursor } from '#shared/events/event-feed.ts';
import { createEventRepository } from '#shared/events/event-repository.ts';
import { createPublishEvents } from '#shared/events/publish-events.ts';
import {
  changeKey,
  eventIdOf,
  eventSubject,
  externalEventId,
  positionAtTime,
  type ServiceEvent,
  withKey,
} from '#shared/events/service-event.ts';
import { sizeOf } from '#test/simulation/aws/dynamodb/item-size.ts';
import { eventNo, eventOf } from '#test/support/events-in-memory.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CLIENT, OPERATION, STRANGER } from '#test/support/ids.ts';
import { routeCall } from '#test/support/route-call.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';

const START = '2026-11-21T12:00:00.000Z';
const HOUR = 3600;
const DAY = 24 * HOUR;

/** Seconds after which the feed is complete. */
const COMPLETE = 180;

function world() {
  const { dynamo, table } = tablesInMemory();
  const clock = fakeClock(START);
  const events = createEventRepository(dynamo, 'events');
  const feed = createEventFeed(dynamo, 'events');
  const list = listEvents({ feed, clock, completeAfter: COMPLETE });
  const get = getEvent({ feed, clock });

  const happen = (...happened: readonly ServiceEvent[]) => {
    for (const event of happened) table('events').put({ ...withKey(event), unpublishedIn: 'EVENT#1' });
  };
  const publishWith = (markPublished: typeof events.markPublished) =>
    createPublishEvents({ bus: { put: async () => [] }, events: { markPublished }, clock });
  async function read(query: Readonly<Record<string, string>> = {}, clientId = CLIENT) {
    const { body } = await list(routeCall(listEventsContract, {}, {}, { query, clientId }));
    return listEventsContract.success.body.parse(body);
  }
  return {
    ...{ dynamo, clock, feed, events, happen, read },
    publish: publishWith(events.markPublished),
    /** The bus has accepted the events, and the publisher dies before it marks them as published. */
    dieBetween: publishWith(async () => Promise.reject(new Error('dead'))),
    /** Events happen and are published in this order, in the same millisecond. */
    async told(...happened: readonly ServiceEvent[]) {
      happen(...happened);
      for (const event of happened) await events.markPublished(event.eventId, clock);
    },
    async ids(query: Readonly<Record<string, string>> = {}) {
      return (await read(query)).events.map(({ id }) => id);
    },
    /** Reads pages until the feed has no more, each with the same query. */
    async readOn(query: Readonly<Record<string, string>> = {}) {
      const pages = [await read(query)];
      for (let page = pages[0]; page?.hasMore; page = pages.at(-1)) {
        pages.push(await read({ ...query, after: page.nextCursor }));
      }
      return { pages, ids: pages.flatMap((page) => page.events.map(({ id }) => id)), after: pages.at(-1)?.nextCursor };
    },
    async event(eventId: string, clientId = CLIENT) {
      return (await get(routeCall(getEventContract, { event_id: eventId }, {}, { clientId }))).body;
    },
  };
}

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, place) => from + place);
const some = (from: number, to: number) => numbers(from, to).map((number) => eventOf(eventNo(number)));

describe('decisions 14, event feed: a client is answered', () => {
  test('each of its events once, in the order in which they were published, with the body that webhooks get', async () => {
    const { told, events, clock, readOn, read } = world();
    const data = {
      status: 'PENDING',
      note: 'ñ € 🎉',
      7: 'seven',
      nested: [{ id: 'another', big: '12345678901234567890' }],
    };
    const body = JSON.stringify({ type: 'wallet_transfer.settled', timestamp: START, data });
    const other = eventOf(externalEventId('partner.demo', 'wt_1'), { type: 'wallet_transfer.settled', body });
    await told(eventOf(eventNo(8)), eventOf(eventNo(3)));
    clock.advance(1);
    await events.record(other, clock);
    await told(eventOf(eventNo(5), { clientId: STRANGER }));
    clock.advance(1);
    await told(eventOf(eventNo(1)));
    clock.advance(HOUR);
    // Events of the same millisecond are sorted by their sequence.
    const expected = [eventNo(3), eventNo(8), other.eventId, eventNo(1)];
    for (const limit of ['1', '2', '3', '4', '100']) expect((await readOn({ limit })).ids).toEqual(expected);
    expect(JSON.stringify((await read()).events[2])).toBe(JSON.stringify({ id: other.eventId, ...JSON.parse(body) }));
    expect((await read({}, STRANGER)).events.map(({ id }) => id)).toEqual([eventNo(5)]);
  });

  test('the events up to three minutes ago, with a nextCursor even on an empty page', async () => {
    const { told, clock, read } = world();
    const empty = await read();
    expect(empty).toMatchObject({ events: [], hasMore: false, upTo: '2026-11-21T11:57:00.000Z' });
    await told(...some(0, 1));
    clock.advance(COMPLETE);
    const early = await read({ after: empty.nextCursor });
    expect(early).toMatchObject({ events: [], hasMore: false, upTo: START });
    clock.advance(0.001);
    expect(await read({ after: early.nextCursor })).toMatchObject({ events: [{ id: eventNo(0) }], hasMore: false });
  });

  test('an event that was published late after those that it has read, so that none is missed', async () => {
    const { happen, told, publish, dieBetween, clock, readOn, ids } = world();
    const [late, between] = [eventOf(eventNo(0)), eventOf(eventNo(1))];
    happen(late, between);
    await told(...some(2, 5));
    expect(await dieBetween([between])).toEqual([between]);
    clock.advance(HOUR);
    const { ids: first, after = '' } = await readOn();
    expect(first).toEqual([2, 3, 4].map(eventNo));
    await publish([between]);
    await publish([between]);
    clock.advance(1);
    await publish([late]);
    clock.advance(HOUR);
    expect(await ids({ after })).toEqual([1, 0].map(eventNo));
    expect(await ids()).toEqual([2, 3, 4, 1, 0].map(eventNo));
  });

  test('all of them after an outage of 90 days, and after a year in which it asked and nothing happened', async () => {
    const { told, clock, read, readOn } = world();
    let { nextCursor } = await read();
    for (let month = 0; month < 12; month += 1) {
      clock.advance(30 * DAY);
      ({ nextCursor } = await read({ after: nextCursor }));
    }
    for (let day = 0; day < 90; day += 1) {
      await told(...some(day * 3, day * 3 + 3));
      clock.advance(DAY);
    }
    const { ids, pages } = await readOn({ after: nextCursor, limit: '100' });
    expect(ids).toEqual(numbers(0, 270).map(eventNo));
    expect(pages.map(({ events, hasMore }) => [events.length, hasMore])).toEqual([
      [100, true],
      [100, true],
      [70, false],
    ]);
  });

  test('the events of one type, of at most 300 that one call examines', async () => {
    const { told, clock, read, readOn } = world();
    const type = 'ramp.deposit.status_changed';
    const body = JSON.stringify({ type, timestamp: START, data: {} });
    await told(...some(0, 700), eventOf(eventNo(700), { type, body }));
    clock.advance(HOUR);
    expect(await read({ type })).toMatchObject({ events: [], hasMore: true });
    const { ids, pages } = await readOn({ type });
    expect([ids, pages.map(({ hasMore }) => hasMore)]).toEqual([[eventNo(700)], [true, true, false]]);
    expect((await readOn({ type: 'ramp.operation.status_changed', limit: '99' })).ids).toEqual(
      numbers(0, 700).map(eventNo),
    );
  });

  test('with no more events than a function can answer, however large they are', async () => {
    const { told, clock, readOn } = world();
    const body = JSON.stringify({ type: 'ramp.large', timestamp: START, data: { text: 'é'.repeat(60_000) } });
    await told(...numbers(0, 40).map((number) => eventOf(eventNo(number), { body })));
    clock.advance(HOUR);
    const { ids, pages } = await readOn({ limit: '100' });
    expect(ids).toEqual(numbers(0, 40).map(eventNo));
    expect(Math.max(...pages.map((page) => Buffer.byteLength(JSON.stringify(page))))).toBeLessThan(4_000_000);
  });

  test('from the cursor of another function whose clock was ahead', async () => {
    const { told, clock, read } = world();
    await told(...some(0, 2));
    clock.advance(COMPLETE + 1);
    const [ahead, onTheWay] = [await read(), await read({ limit: '1' })];
    clock.advance(-2);
    const { nextCursor, upTo } = ahead;
    expect(await read({ after: nextCursor })).toEqual({ events: [], hasMore: false, nextCursor, upTo });
    const after = onTheWay.nextCursor;
    expect(await read({ after })).toEqual({ events: [], hasMore: false, nextCursor: after, upTo: START });
  });
});

describe('decisions 14, event feed: ten events of 600 bytes', () => {
  test('cost two read units at most, and of the index only the client’s part is read', async () => {
    const { dynamo, told, clock, read } = world();
    const filled = (id: string) => {
      const [type, timestamp] = ['ramp.deposit_hash.status_changed', START];
      const empty = JSON.stringify({ type, timestamp, data: { text: '' } });
      return eventOf(id, { type, body: empty.replace('""', `"${'x'.repeat(600 - empty.length)}"`) });
    };
    await told(...numbers(0, 30).map((number) => filled(eventNo(number))));
    clock.advance(HOUR);
    const queries: unknown[] = [];
    let bytes = 0;
    const { send } = dynamo;
    Object.assign(dynamo, {
      send: async (command: { readonly input: object }) => {
        const output: { readonly Items?: readonly Record<string, unknown>[] } = await Reflect.apply(send, dynamo, [
          command,
        ]);
        queries.push(command.input);
        for (const item of output.Items ?? []) bytes += sizeOf(marshall(item));
        return output;
      },
    });
    expect((await read({ limit: '10' })).events).toHaveLength(10);
    expect(queries).toMatchObject([{ IndexName: 'byClient', ExpressionAttributeValues: { ':client': CLIENT } }]);
    // A read of an index costs half a read unit for each 4 kB, because it is eventually consistent.
    expect(Math.ceil(bytes / 4096) / 2).toBeLessThanOrEqual(2);
    expect(bytes).toBeGreaterThan(6000);
  });
});

describe('decisions 14, event feed: a cursor', () => {
  const foreign = feedCursor(STRANGER, positionAtTime(new Date(START)));
  const own = feedCursor(CLIENT, positionAtTime(new Date(START)));

  test.each([
    ['empty', ''],
    ['forged', 'forged'],
    ['the id of an event', eventNo(1)],
    ['of another client', foreign],
    ['changed', own.replace(/^./, 'N')],
    ['with the check of another', `${own.split('.')[0]}.${foreign.split('.')[1]}`],
    ['spelt in another way', own.replace('.', '=.')],
    ['of no place', feedCursor(CLIENT, `${positionAtTime(new Date(START))}#1`)],
    ['of the future', feedCursor(CLIENT, positionAtTime(new Date(Date.parse(START) + 3600_000)))],
  ])('that is %s is 422', async (_, after) => {
    expect(await expectApiError(() => world().read({ after }))).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ path: 'query.after', code: 'INVALID_CURSOR' }],
    });
  });

  test('of an expired event is 422 CURSOR_EXPIRED, with the oldest usable cursor, which stays valid for a while', async () => {
    const { told, clock, read, ids } = world();
    const { nextCursor } = await read();
    await told(...some(0, 1));
    clock.advance(DAY);
    await told(...some(1, 2));
    clock.advance(89.5 * DAY);
    const error = await expectApiError(() => read({ after: nextCursor }));
    expect(error).toMatchObject({ status: 422, code: 'CURSOR_EXPIRED', about: { oldestCursor: expect.any(String) } });
    clock.advance(HOUR);
    expect(await ids({ after: String(error.about?.['oldestCursor']) })).toEqual([eventNo(1)]);
    expect(await ids()).toEqual([eventNo(1)]);
  });
});

test.each([{ type: 'RAMP' }, { type: '' }, { limit: '101' }, { cursor: 'x' }, { since: START }])(
  'decisions 14, query parameters: the feed refuses %j',
  async (query) => {
    expect(await expectApiError(() => world().read(query))).toMatchObject({ code: 'VALIDATION_FAILED' });
  },
);

describe('decisions 14, event feed: one event', () => {
  test('is read by its id, published or not, for 90 days', async () => {
    const { happen, publish, clock, event } = world();
    const [one] = some(0, 1);
    if (one === undefined) throw new Error('There is none.');
    happen(one);
    expect(await event(one.eventId)).toEqual({ id: one.eventId, ...JSON.parse(one.body) });
    await publish([one]);
    clock.advance(90 * DAY);
    expect(await event(one.eventId)).toMatchObject({ id: one.eventId });
    clock.advance(DAY);
    expect((await expectApiError(() => event(one.eventId))).code).toBe('EVENT_NOT_FOUND');
  });

  test('of another client, or of none, is 404 EVENT_NOT_FOUND', async () => {
    const { happen, event } = world();
    happen(eventOf(eventNo(0), { clientId: STRANGER }));
    // The key of this event is too long for DynamoDB.
    const endless = eventIdOf(
      changeKey(eventSubject('operation', OPERATION), `ramp.${'x'.repeat(1024)}`, undefined, 1),
    );
    for (const id of [eventNo(0), eventNo(1), externalEventId('partner.demo', 'x'), 'x', `${eventNo(0)}=`, endless]) {
      expect(await expectApiError(() => event(id))).toMatchObject({ status: 404, code: 'EVENT_NOT_FOUND' });
    }
  });
});
