import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { fromItem, type Item, toItem } from '#shared/platform/dynamodb/client.ts';
import { indexEntries } from '#shared/platform/dynamodb/index-entries.ts';
import { type Delivery, delivery } from './delivery.ts';
import { type DeliveryAttempt, deliveryAttempt } from './delivery-attempt.ts';

const BY_WEBHOOK_INDEX = 'byWebhook';

/** A delivery or one of its attempts. */
const recordItem = z.looseObject({ record: z.string(), expiresAt: z.int() });
const indexEntry = z.object({ deliveryId: z.string() });

export interface DeliveryLog {
  readonly delivery: Delivery;
  /** In the order in which they were made. */
  readonly attempts: readonly DeliveryAttempt[];
}

export const DELIVERY = 'DELIVERY';

export const deliveryKey = (deliveryId: string): Item => toItem({ deliveryId, record: DELIVERY });

export function attemptKey(deliveryId: string, number: number) {
  return { deliveryId, record: `ATTEMPT#${String(number).padStart(4, '0')}` };
}

export function parseDelivery(item: Item): Delivery {
  return fromItem(delivery, item);
}

/** Reads of the deliveries table, for whom an item that has expired does not exist, deleted yet or not. */
export function createDeliveryStore(dynamo: DynamoDBClient, table: string) {
  return {
    async find(deliveryId: string, now: Date): Promise<DeliveryLog | undefined> {
      const { Items = [] } = await dynamo.send(
        new QueryCommand({
          TableName: table,
          KeyConditionExpression: 'deliveryId = :id',
          ExpressionAttributeValues: toItem({ ':id': deliveryId }),
          ConsistentRead: true,
        }),
      );
      const live = Items.map((item) => fromItem(recordItem, item)).filter(
        ({ expiresAt }) => expiresAt * 1000 > now.getTime(),
      );
      const found = live.find(({ record }) => record === DELIVERY);
      const attempts = live.filter(({ record }) => record !== DELIVERY);
      return (
        found && {
          delivery: delivery.parse(found),
          attempts: attempts.map((attempt) => deliveryAttempt.parse(attempt)),
        }
      );
    },

    /** Ids of a webhook's deliveries, newest first, from after the given one on. */
    async *idsOfWebhook(webhookId: string, after: Delivery | undefined): AsyncGenerator<string> {
      const entries = indexEntries(dynamo, table, indexEntry, {
        index: BY_WEBHOOK_INDEX,
        condition: 'webhookId = :webhook',
        values: { ':webhook': webhookId },
        newestFirst: true,
        after: after && { ...deliveryKey(after.deliveryId), ...toItem({ webhookId, createdAt: after.createdAt }) },
        pageSize: 100,
      });
      for await (const { deliveryId } of entries) yield deliveryId;
    },
  };
}

export type Deliveries = ReturnType<typeof createDeliveryStore>;
