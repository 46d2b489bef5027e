import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { inGroups } from '#shared/platform/collections.ts';
import { batchGetFound } from '#shared/platform/dynamodb/batch-get.ts';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import { indexEntries } from '#shared/platform/dynamodb/index-entries.ts';
import {
  asDue,
  type Delivery,
  type DeliveryLog,
  delivery,
  deliveryAttempt,
  deliveryIdOf,
} from '#shared/webhooks/model/delivery.ts';
import type { ReadCircuits } from './webhook-health-repository.ts';
import type { Webhooks } from './webhook-repository.ts';

const BY_WEBHOOK_INDEX = 'byWebhook';

/** A delivery or one of its attempts. */
const recordItem = z.looseObject({ record: z.string(), expiresAt: z.int() });
const indexEntry = z.object({ deliveryId: z.string() });

export const DELIVERY = 'DELIVERY';

export const deliveryKey = (deliveryId: string): Item => ({ deliveryId, record: DELIVERY });

export function attemptKey(deliveryId: string, number: number) {
  return { deliveryId, record: `ATTEMPT#${String(number).padStart(4, '0')}` };
}

/** Reads of the deliveries table, for which an expired item does not exist, whether it is deleted yet or not. */
export function createDeliveryRepository(dynamo: DynamoDBDocumentClient, table: string) {
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

export type Deliveries = ReturnType<typeof createDeliveryRepository>;

/** As many as one read can ask for. */
const GROUP = 100;

/** What became of a client's events at the webhooks that it has, in the order of the events. Those of removed webhooks are not found. */
export function createListDeliveriesOf(
  dynamo: DynamoDBDocumentClient,
  table: string,
  webhooks: Pick<Webhooks, 'list'>,
  readCircuits: ReadCircuits,
  clock: Clock,
) {
  return async (clientId: string, eventIds: readonly string[]): Promise<readonly Delivery[]> => {
    const receivers = await webhooks.list(clientId);
    const keys = eventIds.flatMap((eventId) =>
      receivers.map(({ webhookId }) => deliveryKey(deliveryIdOf(eventId, webhookId))),
    );
    const found: Delivery[] = [];
    for await (const group of inGroups(keys, GROUP)) {
      found.push(...(await batchGetFound(dynamo, clock, table, group, delivery)));
    }
    if (found.every(({ nextAttemptAt }) => nextAttemptAt === undefined)) return found;
    const circuits = await readCircuits(receivers);
    const circuitOf = new Map(receivers.map(({ webhookId }, position) => [webhookId, circuits[position]]));
    return found.map((one) => asDue(one, circuitOf.get(one.webhookId)));
  };
}

export type ListDeliveriesOf = ReturnType<typeof createListDeliveriesOf>;

/** As many as one read can ask for. */
const MOST_READ = 100;

/** How many of a webhook's newest deliveries wait without ever having been attempted: at most a hundred are looked at. */
export function createCountUnattempted(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const { idsOfWebhook } = createDeliveryRepository(dynamo, table);
  return async (webhookId: string): Promise<number> => {
    const keys = [];
    for await (const deliveryId of idsOfWebhook(webhookId, undefined)) {
      if (keys.push(deliveryKey(deliveryId)) === MOST_READ) break;
    }
    const newest = await batchGetFound(dynamo, clock, table, keys, delivery);
    return newest.filter(({ status, attemptsLogged }) => status === 'PENDING' && attemptsLogged === 0).length;
  };
}

export type CountUnattempted = ReturnType<typeof createCountUnattempted>;
