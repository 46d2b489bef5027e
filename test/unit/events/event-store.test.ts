import { expect, test } from 'vitest';
import { otherEventId } from '#shared/events/event-key.ts';
import { createEventRepository } from '#shared/events/event-store.ts';
import { withKey } from '#shared/events/service-event.ts';
import { eventNo, eventOf } from '#test/support/events-in-memory.ts';
import { CLIENT, STRANGER } from '#test/support/ids.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';

const NOW = new Date('2026-11-21T12:05:00.000Z');

/** Days after which an event expires: as long as its deliveries can be read, replayed and attempted. */
const DAYS = 114;

function world() {
  const { dynamo, table } = tablesInMemory();
  return { ...createEventRepository(dynamo, 'events'), table: table('events') };
}

async function listed(ids: AsyncIterable<string>): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const id of ids) found.push(id);
  return found;
}

const at = (time: string) => ({ occurredAt: `2026-11-21T${time}Z` });

test('an event of another service is kept once, is published by nobody, and expires', async () => {
  const { record, find, table, unpublishedBefore } = world();
  const told = eventOf(otherEventId('partner.demo', 'evt_1'));
  expect(await record(told, NOW)).toBe(true);
  expect(await record({ ...told, body: 'another' }, NOW)).toBe(false);
  expect(await find(told.eventId)).toEqual(told);
  expect(table.items()).toMatchObject([{ expiresAt: NOW.getTime() / 1000 + DAYS * 24 * 3600 }]);
  expect(await listed(unpublishedBefore('EVENT#1', NOW.toISOString()))).toEqual([]);
});

test('an event that the bus has is kept without its place among the unpublished, and expires', async () => {
  const { markPublished, find, table } = world();
  const event = eventOf(eventNo(1));
  table.put({ ...withKey(event), unpublishedIn: 'EVENT#1' });
  await markPublished(event.eventId, NOW);
  expect(await find(event.eventId)).toEqual(event);
  expect(table.items()).toMatchObject([{ expiresAt: NOW.getTime() / 1000 + DAYS * 24 * 3600 }]);
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

test("a client's events from a time on are its own, with that time, oldest first", async () => {
  const { ofClientSince, table } = world();
  for (const [id, time, clientId] of [
    [3, '12:00:02.000', CLIENT],
    [1, '12:00:00.000', CLIENT],
    [2, '12:00:01.000', CLIENT],
    [4, '12:00:01.000', STRANGER],
  ] as const) {
    table.put(withKey(eventOf(eventNo(id), { ...at(time), clientId })));
  }
  expect(await listed(ofClientSince(CLIENT, '2026-11-21T12:00:01.000Z'))).toEqual([2, 3].map(eventNo));
});
