import { type DynamoDBDocumentClient, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { type Clock, expiry } from '#shared/platform/clock.ts';
import { unlessConditionFails } from '#shared/platform/dynamodb/conditional-write.ts';
import { createDueBefore } from '#shared/platform/dynamodb/due-queue.ts';
import { queryIndex, shards } from '#shared/platform/dynamodb/index-entries.ts';
import {
  eventIdOf,
  eventKey,
  eventPlace,
  parseEventId,
  requireEventKey,
  type ServiceEvent,
  serviceEvent,
  withKey,
} from './service-event.ts';

/** Days for which an event is kept: longer than all of its deliveries, with the attempts that follow their last day. */
const EVENT_DAYS = 114;

/** The expiry of an event that the bus accepts now. */
export function eventExpiry(now: Date): number {
  return expiry(now, EVENT_DAYS);
}

const BY_CLIENT_INDEX = 'byClient';

const idOf = z.pipe(eventKey, z.transform(eventIdOf));

/** An entry of the index of places. */
const placed = z.pipe(
  z.extend(eventKey, { place: z.string() }),
  z.transform(({ place, ...key }) => ({ eventId: eventIdOf(key), place })),
);

/** Milliseconds that the write of a place may take: readers of places wait for longer than that. */
const PLACE_LASTS = 2000;

/** Runs the write of a place, and aborts its request after `PLACE_LASTS`. */
async function inTime<Output>(clock: Clock, write: (signal: AbortSignal) => Promise<Output>): Promise<Output> {
  const timeUp = new AbortController();
  const stop = clock.after(PLACE_LASTS, () => timeUp.abort());
  return await write(timeUp.signal).finally(stop);
}

/** Partitions of the index of events that the bus has not accepted yet. */
export const UNPUBLISHED = 'EVENT';
export const unpublishedShards = shards(UNPUBLISHED);

export function createEventRepository(dynamo: DynamoDBDocumentClient, table: string) {
  return {
    async find(eventId: string): Promise<ServiceEvent | undefined> {
      const key = parseEventId(eventId);
      if (key === undefined) return undefined;
      const { Item } = await dynamo.send(new GetCommand({ TableName: table, Key: key, ConsistentRead: true }));
      return Item && serviceEvent.parse(Item);
    },

    /** Stores an event of another service; false when its id exists. */
    async record(event: ServiceEvent, clock: Clock): Promise<boolean> {
      const now = clock.now();
      const put = new PutCommand({
        TableName: table,
        Item: { ...withKey(event), place: eventPlace(event.eventId, now), expiresAt: eventExpiry(now) },
        ConditionExpression: 'attribute_not_exists(subject)',
      });
      const written = inTime(clock, (abortSignal) => dynamo.send(put, { abortSignal }));
      return (await unlessConditionFails(written)) !== undefined;
    },

    /**
     * Marks an event that the bus has accepted: it gets its place and its expiry, and is not published again. An event
     * that already has a place keeps it.
     *
     * @throws when the write is not done in time: it may have been made, but is not made later
     */
    async markPublished(eventId: string, clock: Clock): Promise<void> {
      const now = clock.now();
      const update = new UpdateCommand({
        TableName: table,
        Key: requireEventKey(eventId),
        UpdateExpression: 'SET place = :place, expiresAt = :expiry REMOVE unpublishedIn',
        ConditionExpression: 'attribute_exists(unpublishedIn)',
        ExpressionAttributeValues: { ':place': eventPlace(eventId, now), ':expiry': eventExpiry(now) },
      });
      await unlessConditionFails(inTime(clock, (abortSignal) => dynamo.send(update, { abortSignal })));
    },

    /** Ids of one shard that should have been published before the given time, oldest first. */
    unpublishedBefore: createDueBefore(dynamo, table, {
      index: 'unpublished',
      shard: 'unpublishedIn',
      at: 'occurredAt',
      entry: idOf,
    }),

    /** Ids and places of the client's events that were published after this place, in the order of their places. */
    ofClientAfter: (clientId: string, place: string): AsyncGenerator<z.infer<typeof placed>> =>
      queryIndex(dynamo, table, placed, {
        index: BY_CLIENT_INDEX,
        condition: 'clientId = :client AND place > :place',
        values: { ':client': clientId, ':place': place },
      }),
  };
}

export type Events = ReturnType<typeof createEventRepository>;
