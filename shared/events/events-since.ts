import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { readFirstEntries, readPageOfShards } from '#shared/platform/dynamodb/index-entries.ts';
import { unpublishedShards } from './event-repository.ts';
import { eventKey, parseChange, positionAtTime, storedEvent } from './service-event.ts';

interface EventSince {
  readonly id: string;
  readonly clientId: string;
  readonly body: string;
}

/** The most entries of a page, and the most clients that it reads: each client is a query. */
const MOST = 100;
const MOST_CLIENTS = 100;

const placed = z.object({ ...eventKey.shape, clientId: z.string(), place: z.string(), body: z.catch(z.string(), '') });
const waiting = z.object({ ...eventKey.shape, unpublishedIn: z.string(), occurredAt: z.string() });
const kept = z.pick(storedEvent, { subject: true, change: true, clientId: true, body: true });

interface Dependencies {
  readonly dynamo: DynamoDBDocumentClient;
  readonly table: string;
  readonly listClientIds: () => Promise<readonly string[]>;
  readonly clock: Clock;
}

/**
 * The events since a time, which no restore touches: first those that the bus has not accepted yet, then each client's,
 * in the order of their places. An event that the bus accepts meanwhile is in both lists, rather than in neither.
 */
export function createEventsSince({ dynamo, table, listClientIds, clock }: Dependencies) {
  return {
    async unpublished(from: string) {
      const { items, nextAt, unreadable } = await readPageOfShards(dynamo, clock, table, {
        ...{ index: 'unpublished', keys: ['unpublishedIn', 'occurredAt'] as const, shards: unpublishedShards },
        ...{ since: from, upTo: clock.now().toISOString(), most: MOST, entry: waiting, item: kept },
        keyOf: ({ subject, change }) => ({ subject, change }),
      });
      return { events: items.map(eventOf), unreadable, nextAt };
    },

    /** @param after client and place of the last event of the previous page */
    async published(from: Date, client: string | undefined, after: { clientId: string; place: string } | undefined) {
      const all = client === undefined ? [...(await listClientIds())].toSorted() : [client];
      const left = all.filter((clientId) => after === undefined || clientId >= after.clientId);
      const events: EventSince[] = [];
      for (const clientId of left.slice(0, MOST_CLIENTS)) {
        const most = MOST - events.length;
        const found = await readFirstEntries(dynamo, table, placed, {
          index: 'byClient',
          condition: 'clientId = :client AND place > :place',
          values: { ':client': clientId, ':place': clientId === after?.clientId ? after.place : positionAtTime(from) },
          most,
        });
        events.push(...found.map(eventOf));
        const last = found.at(-1);
        if (found.length === most && last !== undefined) return { events, last: { clientId, place: last.place } };
      }
      const next = left[MOST_CLIENTS];
      return { events, last: next === undefined ? undefined : { clientId: next, place: positionAtTime(from) } };
    },
  };
}

function eventOf({ subject, change, clientId, body }: z.infer<typeof kept>): EventSince {
  return { id: `${subject} ${change}`, clientId, body: parseChange(change) === undefined ? '' : body };
}
