import { createHash } from 'node:crypto';
import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { queryIndex } from '#shared/platform/dynamodb/index-entries.ts';
import { eventKey, parseEventId, positionAtTime, storedEvent } from './service-event.ts';

/*
 * The events of a client, in the order of their places (decisions.md 7, Place of an event). A position in the feed is
 * the place of an event, or a time, which comes before everything published from then on.
 */

const DAY = 24 * 3600_000;

/** Milliseconds for which events can be read. Their items stay longer. */
const KEPT = 90 * DAY;

/** Milliseconds for which a cursor of the oldest events stays valid after it was answered. */
const GRACE = 3600_000;

/** The position before the oldest events that can be read. */
export function oldestPosition(now: Date): string {
  return positionAtTime(new Date(now.getTime() - KEPT));
}

/** True if events after this position can no longer be read. */
export function isExpired(position: string, now: Date): boolean {
  return position < positionAtTime(new Date(now.getTime() - KEPT - GRACE));
}

const CURSOR = /^([\w-]+)\.([\w-]{22})$/;
const POSITION = /^\d{13}(?:#\d{10}#[\w-]{1,128})?$/;

/** Encodes a position of a client's feed as a cursor for the client. */
export function feedCursor(clientId: string, position: string): string {
  return `${Buffer.from(position).toString('base64url')}.${checkOf(clientId, position)}`;
}

/**
 * The position that a cursor names; `undefined` if it is not a cursor of this client's feed. A cursor grants no access,
 * because it is read in the client's own feed only. Its checksum finds one that was changed, or is another client's.
 */
export function parseFeedCursor(clientId: string, cursor: string, now: Date): string | undefined {
  const [, coded = ''] = CURSOR.exec(cursor) ?? [];
  const position = Buffer.from(coded, 'base64url').toString();
  const isOfFeed = POSITION.test(position) && feedCursor(clientId, position) === cursor;
  // No feed has been read beyond now, so a later position is not from one.
  return isOfFeed && position <= positionAtTime(now) ? position : undefined;
}

function checkOf(clientId: string, position: string): string {
  return createHash('sha256').update(`${clientId} ${position}`).digest().subarray(0, 16).toString('base64url');
}

/** The time of a position, in milliseconds since 1970. */
export function positionTime(position: string): number {
  return Number(position.slice(0, 13));
}

/** An entry of the index has the body, so that a page is one query. */
const entry = z.extend(eventKey, { place: z.string(), body: z.catch(z.string(), '') });

/** The key, the place and the body of an event; the body may be unreadable. */
export type PlacedEvent = Readonly<z.infer<typeof entry>>;

export const eventItem = z.extend(storedEvent, { place: z.optional(z.string()) });

export function createEventFeed(dynamo: DynamoDBDocumentClient, table: string) {
  return {
    /** The client's events after this position and before that time, in the order of their places. */
    async *between(clientId: string, position: string, upTo: Date, pageSize: number): AsyncGenerator<PlacedEvent> {
      // `!` sorts before every character that can follow a position: the range starts right after the position.
      const [first, last] = [`${position}!`, `${positionAtTime(upTo)}!`];
      // DynamoDB rejects a range that ends before it starts; such a range is empty.
      if (first > last) return;
      yield* queryIndex(dynamo, table, entry, {
        index: 'byClient',
        condition: 'clientId = :client AND place BETWEEN :first AND :last',
        values: { ':client': clientId, ':first': first, ':last': last },
        pageSize,
      });
    },

    /** The body of an event of the client, published or about to be; `undefined` if it can no longer be read. */
    async find(clientId: string, eventId: string, now: Date): Promise<string | undefined> {
      const key = parseEventId(eventId);
      if (key === undefined) return undefined;
      const { Item } = await dynamo.send(new GetCommand({ TableName: table, Key: key, ConsistentRead: true }));
      const found = Item && eventItem.parse(Item);
      if (found?.clientId !== clientId) return undefined;
      return found.place !== undefined && isExpired(found.place, now) ? undefined : found.body;
    },
  };
}

export type EventFeed = ReturnType<typeof createEventFeed>;
