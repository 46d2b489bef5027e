import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { fromItem, type Item, toItem } from '#shared/platform/dynamodb/client.ts';
import { indexEntries } from '#shared/platform/dynamodb/index-entries.ts';
import { type Delivery, deliveryStatuses, deliveryTriggers, undeliveredReasons } from './delivery.ts';
import { callErrors } from './delivery-outcome.ts';

const BY_WEBHOOK_INDEX = 'byWebhook';

const deliveryItem = z.object({
  deliveryId: z.string(),
  eventId: z.string(),
  type: z.string(),
  clientId: z.string(),
  webhookId: z.string(),
  status: z.enum(deliveryStatuses),
  reason: z.optional(z.enum(undeliveredReasons)),
  createdAt: z.string(),
  trigger: z.enum(deliveryTriggers),
  queuedAt: z.string(),
  attemptsMade: z.int(),
  attemptsLogged: z.int(),
  nextAttemptAt: z.optional(z.string()),
  claims: z.int(),
});

const attemptItem = z.object({
  at: z.string(),
  trigger: z.enum(deliveryTriggers),
  statusCode: z.optional(z.int()),
  error: z.optional(z.enum(callErrors)),
  durationMs: z.int(),
});

/** A delivery or one of its attempts. */
const recordItem = z.looseObject({ record: z.string(), expiresAt: z.int() });
const indexEntry = z.object({ deliveryId: z.string() });

/** One call of an endpoint, as its client may see it. */
export type LoggedAttempt = z.infer<typeof attemptItem>;

export interface DeliveryLog {
  readonly delivery: Delivery;
  /** In the order in which they were made. */
  readonly attempts: readonly LoggedAttempt[];
}

export const DELIVERY = 'DELIVERY';

export const deliveryKey = (deliveryId: string): Item => toItem({ deliveryId, record: DELIVERY });

export function attemptKey(deliveryId: string, number: number) {
  return { deliveryId, record: `ATTEMPT#${String(number).padStart(4, '0')}` };
}

export function parseDelivery(item: Item): Delivery {
  return fromItem(deliveryItem, item);
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
      const delivery = live.find(({ record }) => record === DELIVERY);
      const attempts = live.filter(({ record }) => record !== DELIVERY);
      return (
        delivery && {
          delivery: deliveryItem.parse(delivery),
          attempts: attempts.map((attempt) => attemptItem.parse(attempt)),
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
