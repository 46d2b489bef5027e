import { type DynamoDBDocumentClient, PutCommand, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import {
  retryOnTransactionConflict,
  unlessConditionFails,
  updateItem,
} from '#shared/platform/dynamodb/conditional-write.ts';
import { dueQueue } from '#shared/platform/dynamodb/due-queue.ts';
import {
  type Delivery,
  type DeliveryTrigger,
  deliveryExpiry,
  MOST_LOGGED_ATTEMPTS,
} from '#shared/webhooks/model/delivery.ts';
import { deliveryIn, deliveryKey } from './delivery-repository.ts';

const dueEntry = z.object({
  deliveryId: z.string(),
  webhookId: z.string(),
  clientId: z.string(),
  nextAttemptAt: z.string(),
  dueAt: z.string(),
});

/** What the index of due deliveries has of a delivery. */
export type DueDelivery = z.infer<typeof dueEntry>;

/** The request to make a delivery again. */
interface DeliveryRequest {
  readonly trigger: DeliveryTrigger;
  /** A delivery that was asked for then or later is not asked for again: requests are repeated. */
  readonly requestedAt: string;
  /** When the sweep is to send a message for it; `lostAfter` when one is sent at once. */
  readonly dueAt: string;
  /** Leaves alone what waits for its next attempt and was asked for then or later. */
  readonly unlessPendingSince?: string;
  /** Leaves alone what has arrived. */
  readonly unlessDelivered?: boolean;
}

export function createDeliveryQueue(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return {
    ...dueQueue(dynamo, table, clock, {
      shard: 'clientId',
      entry: dueEntry,
      item: { parse: deliveryIn },
      keyOf: ({ deliveryId }: Pick<DueDelivery, 'deliveryId' | 'dueAt'>) => deliveryKey(deliveryId),
    }),

    /**
     * False when the event is delivered to this webhook already; then nothing was written.
     *
     * @param dueAt when the sweep is to send a message for it; `lostAfter` when one is sent at once
     */
    async create(delivery: Delivery, dueAt: string, now: Date): Promise<boolean> {
      const put = new PutCommand({
        TableName: table,
        Item: { ...delivery, attempts: [], dueAt, expiresAt: deliveryExpiry(now) },
        ConditionExpression: 'attribute_not_exists(deliveryId)',
      });
      return (await unlessConditionFails(retryOnTransactionConflict(clock, () => dynamo.send(put)))) !== undefined;
    },

    /**
     * Makes a delivery due again, now and with the whole schedule of retries. `undefined` when that is not allowed:
     * while an attempt is under way, which then counts as the requested one, after `MOST_LOGGED_ATTEMPTS`, or as the
     * request says. Its expiry does not change, like that of its event.
     */
    async requeue(deliveryId: string, request: DeliveryRequest, now: Date): Promise<Delivery | undefined> {
      const { trigger, requestedAt, dueAt, unlessPendingSince, unlessDelivered = false } = request;
      const conditions = [
        'queuedAt < :requested',
        'size(attempts) < :most',
        '(attribute_not_exists(leaseUntil) OR leaseUntil < :now)',
        ...(unlessPendingSince === undefined ? [] : ['(#status <> :pending OR queuedAt < :pendingSince)']),
        ...(unlessDelivered ? ['#status <> :delivered'] : []),
      ];
      return updated(dynamo, clock, {
        TableName: table,
        Key: deliveryKey(deliveryId),
        UpdateExpression:
          'SET #status = :pending, #trigger = :trigger, queuedAt = :now, attemptsMade = :none, nextAttemptAt = :now, claims = :none, dueAt = :due REMOVE reason, claimToken, leaseUntil',
        ConditionExpression: conditions.join(' AND '),
        ExpressionAttributeNames: { '#status': 'status', '#trigger': 'trigger' },
        ExpressionAttributeValues: {
          ':pending': 'PENDING',
          ':trigger': trigger,
          ':requested': requestedAt,
          ':pendingSince': unlessPendingSince,
          ':delivered': unlessDelivered ? 'DELIVERED' : undefined,
          ':now': now.toISOString(),
          ':none': 0,
          ':due': dueAt,
          ':most': MOST_LOGGED_ATTEMPTS,
        },
      });
    },
  };
}

export type DeliveryQueue = ReturnType<typeof createDeliveryQueue>;

/** The delivery as the update left it; `undefined` when its condition did not hold. */
async function updated(
  dynamo: DynamoDBDocumentClient,
  clock: Clock,
  update: UpdateCommandInput,
): Promise<Delivery | undefined> {
  const command = new UpdateCommand({ ...update, ReturnValues: 'ALL_NEW' });
  const written = await unlessConditionFails(updateItem(dynamo, clock, command));
  return written?.Attributes && deliveryIn(written.Attributes);
}
