import { type DynamoDBDocumentClient, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { inGroups } from '#shared/platform/collections.ts';
import { batchGetReadable } from '#shared/platform/dynamodb/batch-get.ts';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import {
  retryOnTransactionConflict,
  unlessConditionFails,
  updateItem,
} from '#shared/platform/dynamodb/conditional-write.ts';
import { createDueQueue } from '#shared/platform/dynamodb/due-queue.ts';
import { queryIndex } from '#shared/platform/dynamodb/index-entries.ts';
import { reportUnreadable } from '#shared/platform/unreadable.ts';
import {
  type Delivery,
  type DeliveryTrigger,
  delivery,
  deliveryExpiry,
  deliveryIdOf,
  MOST_LOGGED_ATTEMPTS,
} from '#shared/webhooks/model/delivery.ts';
import { withDueTime } from '#shared/webhooks/model/webhook-health.ts';
import type { ReadCircuits } from './webhook-health-repository.ts';
import type { Webhooks } from './webhook-repository.ts';

const BY_WEBHOOK_INDEX = 'byWebhook';

const indexEntry = z.object({ deliveryId: z.string() });

export const deliveryKey = (deliveryId: string): Item => ({ deliveryId });

/** An item has up to dozens of attempts, each a short array: start, trigger, status or error, and duration. */
export const keptAttempts = z.looseObject({ attempts: z.array(z.array(z.unknown())) });

const asMade = ([at, trigger, result, durationMs]: readonly unknown[]) => ({
  ...{ at, trigger, durationMs },
  ...(typeof result === 'number' ? { statusCode: result } : { error: result }),
});

/** Parses the item of a delivery. */
export function parseDelivery(item: unknown): Delivery {
  const { attempts, ...rest } = keptAttempts.parse(item);
  return delivery.parse({ ...rest, attempts: attempts.map(asMade) });
}

const expiring = z.object({ expiresAt: z.int() });

/** Reads of the deliveries table. An expired delivery is not found, even if its item is not deleted yet. */
export function createDeliveryRepository(dynamo: DynamoDBDocumentClient, table: string) {
  return {
    async find(deliveryId: string, now: Date): Promise<Delivery | undefined> {
      const { Item } = await dynamo.send(
        new GetCommand({ TableName: table, Key: deliveryKey(deliveryId), ConsistentRead: true }),
      );
      return Item && expiring.parse(Item).expiresAt * 1000 > now.getTime() ? parseDelivery(Item) : undefined;
    },

    /** Ids of a webhook's deliveries, newest first, beginning after the given one. */
    async *idsOfWebhook(webhookId: string, after: Delivery | undefined): AsyncGenerator<string> {
      const entries = queryIndex(dynamo, table, indexEntry, {
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

export type Deliveries = ReturnType<typeof createDeliveryRepository>;

/** Most items of one batch read. */
const MOST_READ = 100;

/**
 * The deliveries of a client's events to its present webhooks, in the order of the events; those to removed webhooks
 * are not found.
 */
export function createListDeliveriesOf(
  dynamo: DynamoDBDocumentClient,
  table: string,
  webhooks: Pick<Webhooks, 'listReadable'>,
  readCircuits: ReadCircuits,
  clock: Clock,
) {
  return async (clientId: string, eventIds: readonly string[]): Promise<readonly Delivery[]> => {
    const receivers = await webhooks.listReadable(clientId);
    const keys = eventIds.flatMap((eventId) =>
      receivers.map(({ webhookId }) => deliveryKey(deliveryIdOf(eventId, webhookId))),
    );
    const found: Delivery[] = [];
    for await (const group of inGroups(keys, MOST_READ)) {
      const { items, unreadable } = await batchGetReadable(dynamo, clock, table, group, { parse: parseDelivery });
      reportUnreadable(unreadable);
      found.push(...items);
    }
    if (found.every(({ nextAttemptAt }) => nextAttemptAt === undefined)) return found;
    const circuits = await readCircuits(receivers);
    const circuitOf = new Map(receivers.map(({ webhookId }, position) => [webhookId, circuits[position]]));
    return found.map((one) => withDueTime(one, circuitOf.get(one.webhookId)));
  };
}

export type ListDeliveriesOf = ReturnType<typeof createListDeliveriesOf>;

/** Counts those of a webhook's newest hundred deliveries that wait for their first attempt. */
export function createCountUnattempted(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const { idsOfWebhook } = createDeliveryRepository(dynamo, table);
  return async (webhookId: string): Promise<number> => {
    const keys = [];
    for await (const deliveryId of idsOfWebhook(webhookId, undefined)) {
      if (keys.push(deliveryKey(deliveryId)) === MOST_READ) break;
    }
    const { items } = await batchGetReadable(dynamo, clock, table, keys, { parse: parseDelivery });
    return items.filter(({ status, attempts }) => status === 'PENDING' && attempts.length === 0).length;
  };
}

export type CountUnattempted = ReturnType<typeof createCountUnattempted>;

const dueEntry = z.object({
  deliveryId: z.string(),
  webhookId: z.string(),
  clientId: z.string(),
  nextAttemptAt: z.string(),
  dueAt: z.string(),
});

/** An entry of the index of due deliveries. */
export type DueDelivery = z.infer<typeof dueEntry>;

/** The request to make a delivery again. */
interface DeliveryRequest {
  readonly trigger: DeliveryTrigger;
  /** Requests may be repeated: a delivery that was requested at this time or later is left alone. */
  readonly requestedAt: string;
  /** When the sweep is to send a message for it; `messageLostAt` when one is sent at once. */
  readonly dueAt: string;
  /** Leave alone a delivery that waits for its next attempt and was requested at this time or later. */
  readonly unlessPendingSince?: string;
  /** Limits `unlessPendingSince` to deliveries whose next attempt is due by this time. */
  readonly unlessDueBy?: string | undefined;
  /** Leave alone a delivery that has arrived. */
  readonly unlessDelivered?: boolean;
}

export function createDeliveryQueue(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return {
    ...createDueQueue(dynamo, table, clock, {
      shard: 'clientId',
      entry: dueEntry,
      item: { parse: parseDelivery },
      keyOf: ({ deliveryId }: Pick<DueDelivery, 'deliveryId' | 'dueAt'>) => deliveryKey(deliveryId),
    }),

    /**
     * Returns false, and writes nothing, if the event already has a delivery to this webhook.
     *
     * @param dueAt when the sweep is to send a message for it; `messageLostAt` when one is sent at once
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
     * Makes a delivery due now, with the whole schedule of retries again. Returns `undefined` if that is not allowed:
     * during an attempt, which then counts as the requested one, after `MOST_LOGGED_ATTEMPTS`, or by the conditions of
     * the request. The expiry of the delivery and of its event does not change.
     */
    async requeue(deliveryId: string, request: DeliveryRequest, now: Date): Promise<Delivery | undefined> {
      const { trigger, requestedAt, dueAt, unlessPendingSince, unlessDueBy, unlessDelivered = false } = request;
      const isLater = unlessDueBy === undefined ? '' : ' OR nextAttemptAt > :dueBy';
      const conditions = [
        'queuedAt < :requested',
        'size(attempts) < :most',
        '(attribute_not_exists(leaseUntil) OR leaseUntil < :now)',
        ...(unlessPendingSince === undefined ? [] : [`(#status <> :pending OR queuedAt < :pendingSince${isLater})`]),
        ...(unlessDelivered ? ['#status <> :delivered'] : []),
      ];
      const update = new UpdateCommand({
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
          ':dueBy': unlessDueBy,
          ':delivered': unlessDelivered ? 'DELIVERED' : undefined,
          ':now': now.toISOString(),
          ':none': 0,
          ':due': dueAt,
          ':most': MOST_LOGGED_ATTEMPTS,
        },
        ReturnValues: 'ALL_NEW',
      });
      const written = await unlessConditionFails(updateItem(dynamo, clock, update));
      return written?.Attributes && parseDelivery(written.Attributes);
    },
  };
}

export type DeliveryQueue = ReturnType<typeof createDeliveryQueue>;
