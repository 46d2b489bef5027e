import { createEventRepository, UNPUBLISHED } from '#shared/events/event-repository.ts';
import {
  changeKey,
  eventIdOf,
  eventPlace,
  eventSubject,
  type ServiceEvent,
  serviceEvent,
  withKey,
} from '#shared/events/service-event.ts';
import { shardOf } from '#shared/platform/dynamodb/index-entries.ts';
import { CLIENT, OPERATION } from './ids.ts';
import { tablesInMemory } from './tables-in-memory.ts';

const TYPE = 'ramp.operation.status_changed';

/** The id of an event of the service, a different one for each number from 0 on. */
export function eventNo(number: number): string {
  return eventIdOf(changeKey(eventSubject('operation', OPERATION), TYPE, undefined, number + 1));
}

/** An event of the client, as the transaction of a status change writes it. */
export function eventOf(eventId: string, differences: Partial<ServiceEvent> = {}): ServiceEvent {
  const occurredAt = '2026-11-21T12:00:00.000Z';
  const body = JSON.stringify({ type: TYPE, timestamp: occurredAt, data: { status: 'PENDING', note: 'ñ € 🎉' } });
  return { eventId, clientId: CLIENT, type: TYPE, occurredAt, body, ...differences };
}

/** The table of events in memory. */
export function eventsInMemory() {
  const { dynamo, table: tableNamed } = tablesInMemory();
  const table = tableNamed('events');
  return {
    ...createEventRepository(dynamo, 'events'),
    /** Stores events that are not published yet. */
    put: (...happened: readonly ServiceEvent[]) => {
      for (const event of happened) {
        table.put({ ...withKey(event), unpublishedIn: shardOf(UNPUBLISHED, event.eventId) });
      }
    },
    /** Stores events that were published when they happened. */
    putPublished: (...happened: readonly ServiceEvent[]) => {
      for (const event of happened) {
        table.put({ ...withKey(event), place: eventPlace(event.eventId, new Date(event.occurredAt)) });
      }
    },
    putItems: (...items: readonly Readonly<Record<string, unknown>>[]) => {
      for (const item of items) table.put(item);
    },
    unpublished: (): readonly string[] =>
      table
        .items()
        .filter(({ unpublishedIn }) => unpublishedIn !== undefined)
        .map((item) => serviceEvent.parse(item).eventId),
  };
}
