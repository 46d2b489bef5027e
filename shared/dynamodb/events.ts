import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  paginateQuery,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import type { ServiceEvent } from '#shared/domain/service-event.ts';
import { fromItem, type Item, toItem } from './client.ts';
import { eventExpiry } from './expiry.ts';
import { UNPUBLISHED } from './outbox.ts';
import { shards } from './shards.ts';

const UNPUBLISHED_INDEX = 'unpublished';
const BY_CLIENT_INDEX = 'byClient';

const eventItem = z.object({
  eventId: z.string(),
  clientId: z.string(),
  type: z.string(),
  occurredAt: z.string(),
  body: z.string(),
});

const indexEntry = z.object({ eventId: z.string() });

export const unpublishedShards = shards(UNPUBLISHED);

export function parseEvent(item: Item): ServiceEvent {
  return fromItem(eventItem, item);
}

export function eventsIn(dynamo: DynamoDBClient, table: string) {
  return {
    async find(eventId: string): Promise<ServiceEvent | undefined> {
      const { Item } = await dynamo.send(
        new GetItemCommand({ TableName: table, Key: toItem({ eventId }), ConsistentRead: true }),
      );
      return Item && parseEvent(Item);
    },

    /** Keeps an event that another service put on the bus; false when there is one with this id. */
    async record(event: ServiceEvent, now: Date): Promise<boolean> {
      try {
        await dynamo.send(
          new PutItemCommand({
            TableName: table,
            Item: toItem({ ...event, expiresAt: eventExpiry(now) }),
            ConditionExpression: 'attribute_not_exists(eventId)',
          }),
        );
        return true;
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return false;
        throw error;
      }
    },

    /** The bus has it: it is published no more, and may be forgotten one day. */
    async markPublished(eventId: string, now: Date): Promise<void> {
      await dynamo.send(
        new UpdateItemCommand({
          TableName: table,
          Key: toItem({ eventId }),
          UpdateExpression: 'SET expiresAt = :expiry REMOVE unpublishedIn',
          ExpressionAttributeValues: toItem({ ':expiry': eventExpiry(now) }),
        }),
      );
    },

    /** Ids of one shard that the bus should have had before the given time, oldest first. */
    unpublishedBefore: (shard: string, before: string): AsyncGenerator<string> =>
      idsFound(dynamo, table, {
        IndexName: UNPUBLISHED_INDEX,
        KeyConditionExpression: 'unpublishedIn = :shard AND occurredAt < :before',
        ExpressionAttributeValues: toItem({ ':shard': shard, ':before': before }),
      }),

    /** Ids of what happened to the client from the given time on, oldest first. */
    ofClientSince: (clientId: string, since: string): AsyncGenerator<string> =>
      idsFound(dynamo, table, {
        IndexName: BY_CLIENT_INDEX,
        KeyConditionExpression: 'clientId = :client AND occurredAt >= :since',
        ExpressionAttributeValues: toItem({ ':client': clientId, ':since': since }),
      }),
  };
}

export type Events = ReturnType<typeof eventsIn>;

async function* idsFound(
  dynamo: DynamoDBClient,
  table: string,
  query: { IndexName: string; KeyConditionExpression: string; ExpressionAttributeValues: Item },
): AsyncGenerator<string> {
  for await (const { Items = [] } of paginateQuery({ client: dynamo }, { TableName: table, ...query })) {
    for (const item of Items) yield fromItem(indexEntry, item).eventId;
  }
}
