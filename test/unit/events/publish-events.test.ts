import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, test } from 'vitest';
import { publishOverdueChanges } from '#functions/events/publish-overdue-changes/publish-overdue-changes.ts';
import { publishStatusChanges } from '#functions/events/publish-status-changes/publish-status-changes.ts';
import { createPublishEvents } from '#shared/events/publish-events.ts';
import { withKey } from '#shared/events/service-event.ts';
import type { BusEntry, EventBus } from '#shared/platform/aws/event-bus.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { Gauges } from '#shared/platform/logger.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { eventNo, eventOf, eventsInMemory } from '#test/support/events-in-memory.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CLIENT } from '#test/support/ids.ts';

const ids = Array.from({ length: 10 }, (_, index) => eventNo(index));

/** A bus that accepts the events for which `takes` is true, and the parts that put events on it. */
function publishing(takes: (eventId: unknown, call: number) => boolean) {
  const clock = fakeClock('2026-11-21T12:00:10.000Z');
  const events = eventsInMemory();
  const offered: BusEntry[][] = [];
  const taken: BusEntry[] = [];
  const bus: EventBus = {
    async put(entries) {
      offered.push([...entries]);
      const isTaken = entries.map(({ detail }) => takes(detail['eventId'], offered.length));
      taken.push(...entries.filter((_, position) => isTaken[position]));
      return isTaken.flatMap((yes, position) => (yes ? [] : [position]));
    },
  };
  const publish = createPublishEvents({ bus, events, clock });
  const counted: Gauges[] = [];
  const sweep = publishOverdueChanges({ events, publish, clock });
  const fromStream = (...eventIds: readonly string[]) => {
    const Records = eventIds.map((eventId) => ({
      eventName: 'INSERT',
      dynamodb: { NewImage: marshall({ ...withKey(eventOf(eventId)), unpublishedIn: 'EVENT#1' }) },
    }));
    return publishStatusChanges(publish, (changes) => void counted.push(changes))({ Records });
  };
  events.put(...ids.map((id) => eventOf(id)));
  return { clock, events, bus, offered, taken, sweep, fromStream, counted };
}

const idsOf = (entries: readonly BusEntry[]) => entries.map(({ detail }) => detail['eventId']);

test('a completed pay-in whose money is taken back is not counted as completed again', async () => {
  const counted: Gauges[] = [];
  const of = (type: string, position: number) => {
    const data = { payinId: CLIENT, status: 'COMPLETED', previousStatus: 'COMPLETED' };
    return eventOf(ids[position] ?? '', { type, body: JSON.stringify({ type, data }) });
  };
  const happened = ['ramp.payin.status_changed', 'ramp.payin.reversed'].map(of);
  const Records = happened.map((event) => ({ dynamodb: { NewImage: marshall(withKey(event)) } }));
  await publishStatusChanges(
    async () => [],
    (changes) => void counted.push(changes),
  )({ Records });
  expect(counted).toEqual([{ 'payin COMPLETED': 1, 'payin reversed': 1 }]);
});

describe('decisions 7, outbox: from table to bus', () => {
  test('an event is put there with its client, its version and its data', async () => {
    const { fromStream, taken, counted } = publishing(() => true);
    await fromStream(ids[0] ?? '');
    expect(counted).toEqual([{ 'operation PENDING': 1 }]);
    expect(taken).toEqual([
      {
        source: 'payments.ramp',
        type: 'ramp.operation.status_changed',
        detail: {
          schemaVersion: 1,
          clientId: CLIENT,
          eventId: ids[0],
          occurredAt: '2026-11-21T12:00:00.000Z',
          status: 'PENDING',
          note: 'ñ € 🎉',
        },
      },
    ]);
  });

  test('an event that the bus has is not published again', async () => {
    const { fromStream, events, offered } = publishing(() => true);
    await fromStream(...ids);
    expect(offered).toHaveLength(1);
    expect(events.unpublished()).toEqual([]);
  });

  test('of ten events the one that the bus did not take is offered again, alone, and none is lost', async () => {
    const { fromStream, events, offered, taken } = publishing((id, call) => id !== ids[3] || call > 2);
    await fromStream(...ids);
    expect(offered.map(idsOf)).toEqual([ids, [ids[3]], [ids[3]]]);
    expect(idsOf(taken).toSorted()).toEqual(ids);
    expect(events.unpublished()).toEqual([]);
  });

  test('an event that is never taken delays no other, stays unpublished, and is left to the sweep', async () => {
    const lines = captureLogs();
    const { fromStream, events, taken, offered } = publishing((id) => id !== ids[3]);
    await fromStream(...ids);
    expect(offered).toHaveLength(4);
    expect(taken).toHaveLength(9);
    expect(events.unpublished()).toEqual([ids[3]]);
    expect(lines).toMatchObject([{ code: 'EVENT_LEFT_TO_THE_SWEEP', fields: { eventId: ids[3] } }]);
  });

  test('an event for which the whole call fails delays none of those that were offered with it', async () => {
    const lines = captureLogs();
    const { fromStream, events, bus } = publishing(() => true);
    const { put } = bus;
    Object.assign(bus, {
      put: async (entries: readonly BusEntry[]) => {
        if (idsOf(entries).includes(ids[3])) throw new Error('validation');
        return put(entries);
      },
    });
    await fromStream(...ids);
    expect(events.unpublished()).toEqual([ids[3]]);
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        code: 'EVENTS_NOT_TAKEN',
        fields: { count: 10, cause: 'Error: validation' },
      }),
    );
  });

  test('an event that could not be marked in time is offered again, and left to the sweep when that goes on', async () => {
    const lines = captureLogs();
    const { fromStream, events, taken } = publishing(() => true);
    const { markPublished } = events;
    let failures = 1;
    Object.assign(events, {
      markPublished: async (eventId: string, clock: Clock) => {
        if (eventId === ids[3] || (eventId === ids[4] && failures-- > 0)) throw new Error('aborted');
        return markPublished(eventId, clock);
      },
    });
    await fromStream(...ids);
    expect(events.unpublished()).toEqual([ids[3]]);
    expect(new Set(idsOf(taken))).toEqual(new Set(ids));
    expect(lines.map(({ code }) => code)).toEqual([...Array(5).fill('EVENT_NOT_MARKED'), 'EVENT_LEFT_TO_THE_SWEEP']);
  });

  test('the pause between two tries varies by half, so that two publishers do not offer at once', async () => {
    captureLogs();
    const { fromStream, clock } = publishing(() => false);
    Object.assign(clock, { random: () => 0 });
    await fromStream(ids[0] ?? '');
    expect(clock.pauses).toEqual([50, 100, 200]);
  });
});

describe('decisions 7, outbox: the sweep of events', () => {
  test('publishes events that the stream never brought, however old they are, and returns how many', async () => {
    const lines = captureLogs();
    const { clock, sweep, events, taken } = publishing(() => true);
    clock.set('2027-01-15T00:00:00.000Z');
    await sweep();
    expect(idsOf(taken).toSorted()).toEqual(ids);
    expect(events.unpublished()).toEqual([]);
    expect(new Set(lines.map(({ level, code }) => `${level} ${code}`))).toEqual(
      new Set(['warn EVENTS_PUBLISHED_LATE']),
    );
    expect(lines.reduce((count, { fields }) => count + Number(fields['count']), 0)).toBe(ids.length);
  });

  test('offers nothing if no event can be read', async () => {
    const lines = captureLogs();
    const { clock, sweep, events, offered } = publishing(() => true);
    Object.assign(events, { find: () => Promise.reject(new Error('does not parse')) });
    clock.set('2026-11-21T12:05:00.000Z');
    await sweep();
    expect(offered).toEqual([]);
    expect(new Set(lines.map(({ code }) => code))).toEqual(new Set(['EVENT_NOT_READ']));
  });

  test('ends before its function is stopped, and leaves the rest to the next one', async () => {
    captureLogs();
    const { clock, sweep, events, offered, bus } = publishing(() => true);
    const { put } = bus;
    Object.assign(bus, {
      put: async (entries: readonly BusEntry[]) => {
        clock.advance(15);
        return put(entries);
      },
    });
    for (const id of ids) await events.markPublished(id, clock);
    events.put(...Array.from({ length: 60 }, (_, index) => eventOf(eventNo(100 + index))));
    clock.set('2026-11-21T12:05:00.000Z');
    expect(await sweep()).toBe(30);
    expect(offered).toHaveLength(3);
    await sweep();
    expect(events.unpublished()).toEqual([]);
  });

  test('is stopped by no item that cannot be read, and an alarm says so', async () => {
    const lines = captureLogs();
    const { clock, sweep, events, taken } = publishing(() => true);
    const { find } = events;
    Object.assign(events, {
      find: async (eventId: string) =>
        eventId === ids[3] ? Promise.reject(new Error('does not parse')) : find(eventId),
    });
    clock.set('2026-11-21T12:05:00.000Z');
    await sweep();
    expect(taken).toHaveLength(9);
    expect(lines).toContainEqual(expect.objectContaining({ level: 'error', code: 'EVENT_NOT_READ' }));
  });

  test('leaves the events of the last minute to the stream', async () => {
    const { clock, sweep, taken } = publishing(() => true);
    clock.set('2026-11-21T12:00:59.000Z');
    await sweep();
    expect(taken).toEqual([]);
  });

  test('offers ten at a time, logs an error for what is still not taken, and tries again the next time', async () => {
    const lines = captureLogs();
    let open = false;
    const { clock, sweep, events, taken, offered } = publishing(() => open);
    events.put(...Array.from({ length: 25 }, (_, index) => eventOf(eventNo(200 + index))));
    clock.set('2026-11-21T12:05:00.000Z');
    await sweep();
    expect(Math.max(...offered.map(({ length }) => length))).toBeLessThanOrEqual(10);
    expect(new Set(lines.filter(({ level }) => level === 'error').map(({ code }) => code))).toEqual(
      new Set(['EVENT_NOT_PUBLISHED']),
    );
    open = true;
    await sweep();
    expect(events.unpublished()).toEqual([]);
    expect(new Set(idsOf(taken)).size).toBe(taken.length);
  });
});
