import type { ServiceEvent } from '#shared/domain/service-event.ts';
import type { Events } from '#shared/dynamodb/events.ts';
import { shardOf } from '#shared/dynamodb/shards.ts';
import { CLIENT } from './off-ramp.ts';

/** An event of the client, as the transaction of its status change leaves it. */
export function eventOf(eventId: string, differences: Partial<ServiceEvent> = {}): ServiceEvent {
  const [type, occurredAt] = ['ramp.operation.status_changed', '2026-11-21T12:00:00.000Z'];
  const body = JSON.stringify({ type, timestamp: occurredAt, data: { status: 'PENDING', note: 'ñ € 🎉' } });
  return { eventId, clientId: CLIENT, type, occurredAt, body, ...differences };
}

export interface EventsInMemory extends Events {
  /** Puts an event there that the bus does not have yet. */
  put(...happened: readonly ServiceEvent[]): void;
  unpublished(): readonly string[];
}

/** Keeps what the table keeps, under the same conditions. */
export function eventsInMemory(): EventsInMemory {
  const events = new Map<string, ServiceEvent>();
  const unpublished = new Set<string>();
  const oldestFirst = () =>
    [...events.values()].toSorted((one, other) => one.occurredAt.localeCompare(other.occurredAt));
  return {
    put: (...happened) => {
      for (const event of happened) {
        events.set(event.eventId, event);
        unpublished.add(event.eventId);
      }
    },
    unpublished: () => [...unpublished],
    find: async (eventId) => events.get(eventId),
    async record(event) {
      if (events.has(event.eventId)) return false;
      events.set(event.eventId, event);
      return true;
    },
    async markPublished(eventId) {
      unpublished.delete(eventId);
    },
    async *unpublishedBefore(shard, before) {
      for (const { eventId, occurredAt } of oldestFirst()) {
        if (unpublished.has(eventId) && occurredAt < before && shardOf('EVENT', eventId) === shard) yield eventId;
      }
    },
    async *ofClientSince(clientId, since) {
      for (const event of oldestFirst()) {
        if (event.clientId === clientId && event.occurredAt >= since) yield event.eventId;
      }
    },
  };
}
