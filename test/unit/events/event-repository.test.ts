import { expect, test } from 'vitest';
import { createEventRepository } from '#shared/events/event-repository.ts';
import { externalEventId, withKey } from '#shared/events/service-event.ts';
import { eventNo, eventOf } from '#test/support/events-in-memory.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { fakeDynamo } from '#test/support/fake-dynamo.ts';
import { CLIENT, STRANGER } from '#test/support/ids.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';

const NOW = new Date('2026-11-21T12:05:00.000Z');

/** Days after which an event expires: as long as its deliveries can be read, replayed and attempted. */
const DAYS = 114;

function world() {
  const { dynamo, table } = tablesInMemory();
  return { ...createEventRepository(dynamo, 'events'), table: table('events') };
}

async function listed<One>(ids: AsyncIterable<One>): Promise<readonly One[]> {
  const found: One[] = [];
  for await (const id of ids) found.push(id);
  return found;
}

const at = (time: string) => ({ occurredAt: `2026-11-21T${time}Z` });

test('an event of another service is kept once, is published by nobody, and expires', async () => {
  const { record, find, table, unpublishedBefore } = world();
  const told = eventOf(externalEventId('partner.demo', 'evt_1'));
  expect(await record(told, fakeClock(NOW.toISOString()))).toBe(true);
  expect(await record({ ...told, body: 'another' }, fakeClock(NOW.toISOString()))).toBe(false);
  expect(await find(told.eventId)).toEqual(told);
  const place = `${NOW.getTime()}#0000000000#${told.eventId}`;
  expect(table.items()).toMatchObject([{ place, expiresAt: NOW.getTime() / 1000 + DAYS * 24 * 3600 }]);
  expect(await listed(unpublishedBefore('EVENT#1', NOW.toISOString()))).toEqual([]);
});

test('decisions 7, place of an event: an event that the bus has is kept, gets a permanent place, and expires', async () => {
  const { markPublished, find, table } = world();
  const clock = fakeClock(NOW.toISOString());
  const event = eventOf(eventNo(1));
  table.put({ ...withKey(event), unpublishedIn: 'EVENT#1' });
  await markPublished(event.eventId, clock);
  clock.advance(1);
  await markPublished(event.eventId, clock);
  expect(await find(event.eventId)).toEqual(event);
  const place = `${NOW.getTime()}#0000000002#${event.eventId}`;
  expect(table.items()).toMatchObject([{ place, expiresAt: NOW.getTime() / 1000 + DAYS * 24 * 3600 }]);
  expect(table.items()[0]).not.toHaveProperty('unpublishedIn');
});

test('the unpublished events of a shard are those from before the given time, oldest first', async () => {
  const { unpublishedBefore, table } = world();
  for (const [id, time, shard] of [
    [2, '12:00:01.000', 1],
    [1, '12:00:00.000', 1],
    [3, '12:00:02.000', 1],
    [4, '12:00:00.000', 2],
  ] as const) {
    table.put({ ...withKey(eventOf(eventNo(id), at(time))), unpublishedIn: `EVENT#${shard}` });
  }
  expect(await listed(unpublishedBefore('EVENT#1', '2026-11-21T12:00:02.000Z'))).toEqual([1, 2].map(eventNo));
});

test('decisions 7, place of an event: the write of the place ends after two seconds, whatever its outcome', async () => {
  const clock = fakeClock(NOW.toISOString());
  const given: (AbortSignal | undefined)[] = [];
  const rings: [number, () => void][] = [];
  Object.assign(clock, {
    after: (duration: number, call: () => void) => {
      rings.push([duration, call]);
      return () => undefined;
    },
  });
  const send = (_: unknown, { abortSignal }: { readonly abortSignal?: AbortSignal }) =>
    new Promise((_resolve, reject) => {
      given.push(abortSignal);
      abortSignal?.addEventListener('abort', () => reject(new Error('aborted')));
    });
  const { client } = fakeDynamo(async () => ({}));
  const marked = createEventRepository(Object.assign(client, { send }), 'events').markPublished(eventNo(1), clock);
  expect([rings.map(([duration]) => duration), given[0]?.aborted]).toEqual([[2000], false]);
  rings[0]?.[1]();
  await expect(marked).rejects.toThrow('aborted');
});

test("a client's events after a place are its own, in the order of their places", async () => {
  const { ofClientAfter, table } = world();
  for (const [id, place, clientId] of [
    [3, '3', CLIENT],
    [1, '1', CLIENT],
    [2, '2', CLIENT],
    [4, '2', STRANGER],
  ] as const) {
    table.put({ ...withKey(eventOf(eventNo(id), { clientId })), place });
  }
  table.put({ ...withKey(eventOf(eventNo(5))), unpublishedIn: 'EVENT#1' });
  expect(await listed(ofClientAfter(CLIENT, '1'))).toEqual(
    [2, 3].map((id) => ({ eventId: eventNo(id), place: String(id) })),
  );
});
