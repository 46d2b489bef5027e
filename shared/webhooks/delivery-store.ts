import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Item } from '#shared/platform/dynamodb/client.ts';
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

export const deliveryKey = (deliveryId: string): Item => ({ deliveryId, record: DELIVERY });

export function attemptKey(deliveryId: string, number: number) {
  return { deliveryId, record: `ATTEMPT#${String(number).padStart(4, '0')}` };
}

/** Reads of the deliveries table, for which an expired item does not exist, whether it is deleted yet or not. */
export function createDeliveryStore(dynamo: DynamoDBDocumentClient, table: string) {
  return {
    async find(deliveryId: string, now: Date): Promise<DeliveryLog | undefined> {
      const { Items = [] } = await dynamo.send(
        new QueryCommand({
          TableName: table,
          KeyConditionExpression: 'deliveryId = :id',
          ExpressionAttributeValues: { ':id': deliveryId },
          ConsistentRead: true,
        }),
      );
      const live = Items.map((item) => recordItem.parse(item)).filter(
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

    /** Ids of a webhook's deliveries, newest first, beginning after the given one. */
    async *idsOfWebhook(webhookId: string, after: Delivery | undefined): AsyncGenerator<string> {
      const entries = indexEntries(dynamo, table, indexEntry, {
        index: BY_WEBHOOK_INDEX,
        condition: 'webhookId = :webhook',
        values: { ':webhook': webhookId },
        newestFirst: true,
        after: after && { ...deliveryKey(after.deliveryId), ...{ webhookId, createdAt: after.createdAt } },
        pageSize: 100,
      });
      for await (const { deliveryId } of entries) yield deliveryId;
    },
  };
}

export type Deliveries = ReturnType<typeof createDeliveryStore>;
