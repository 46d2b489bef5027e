import { type DynamoDBDocumentClient, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { expiry } from '#shared/platform/clock.ts';
import { unlessConditionFails } from '#shared/platform/dynamodb/conditional-write.ts';
import { dueEntries } from '#shared/platform/dynamodb/due-queue.ts';
import { indexEntries, shards } from '#shared/platform/dynamodb/index-entries.ts';
import { eventIdOf, eventKey, eventKeyOf, keyOfEvent } from './event-key.ts';
import { UNPUBLISHED } from './outbox.ts';
import { type ServiceEvent, serviceEvent, withKey } from './service-event.ts';

/** Days: an event outlasts all of its deliveries, with the attempts that follow their last day. */
const EVENT_DAYS = 114;

/** When an event that the bus has accepted expires. */
export function eventExpiry(now: Date): number {
  return expiry(now, EVENT_DAYS);
}

const BY_CLIENT_INDEX = 'byClient';

const idOf = z.pipe(eventKey, z.transform(eventIdOf));

export const unpublishedShards = shards(UNPUBLISHED);

export function createEventRepository(dynamo: DynamoDBDocumentClient, table: string) {
  return {
    async find(eventId: string): Promise<ServiceEvent | undefined> {
      const key = eventKeyOf(eventId);
      if (key === undefined) return undefined;
      const { Item } = await dynamo.send(new GetCommand({ TableName: table, Key: key, ConsistentRead: true }));
      return Item && serviceEvent.parse(Item);
    },

    /** Stores an event of another service; false when its id exists. */
    async record(event: ServiceEvent, now: Date): Promise<boolean> {
      const put = new PutCommand({
        TableName: table,
        Item: { ...withKey(event), expiresAt: eventExpiry(now) },
        ConditionExpression: 'attribute_not_exists(subject)',
      });
      return (await unlessConditionFails(dynamo.send(put))) !== undefined;
    },

    /** The bus has accepted the event: it is not published again, and expires. */
    async markPublished(eventId: string, now: Date): Promise<void> {
      await dynamo.send(
        new UpdateCommand({
          TableName: table,
          Key: keyOfEvent(eventId),
          UpdateExpression: 'SET expiresAt = :expiry REMOVE unpublishedIn',
          ExpressionAttributeValues: { ':expiry': eventExpiry(now) },
        }),
      );
    },

    /** Ids of one shard that should have been published before the given time, oldest first. */
    unpublishedBefore: dueEntries(dynamo, table, {
      index: 'unpublished',
      shard: 'unpublishedIn',
      at: 'occurredAt',
      entry: idOf,
    }),

    /** Ids of the client's events from the given time on, oldest first. */
    ofClientSince: (clientId: string, since: string): AsyncGenerator<string> =>
      indexEntries(dynamo, table, idOf, {
        index: BY_CLIENT_INDEX,
        condition: 'clientId = :client AND occurredAt >= :since',
        values: { ':client': clientId, ':since': since },
      }),
  };
}

export type Events = ReturnType<typeof createEventRepository>;
