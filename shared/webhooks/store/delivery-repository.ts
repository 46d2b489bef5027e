import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { inGroups } from '#shared/platform/collections.ts';
import { batchGetFound } from '#shared/platform/dynamodb/batch-get.ts';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import { indexEntries } from '#shared/platform/dynamodb/index-entries.ts';
import { type Delivery, delivery, deliveryIdOf } from '#shared/webhooks/model/delivery.ts';
import { asDue } from '#shared/webhooks/model/webhook-health.ts';
import type { ReadCircuits } from './webhook-health-repository.ts';
import type { Webhooks } from './webhook-repository.ts';

const BY_WEBHOOK_INDEX = 'byWebhook';

const indexEntry = z.object({ deliveryId: z.string() });

export const deliveryKey = (deliveryId: string): Item => ({ deliveryId });

/** A delivery's item has dozens of attempts, each in short: when, what for, a status or an error, and how long it took. */
export const keptAttempts = z.looseObject({ attempts: z.array(z.array(z.unknown())) });

const asMade = ([at, trigger, result, durationMs]: readonly unknown[]) => ({
  ...{ at, trigger, durationMs },
  ...(typeof result === 'number' ? { statusCode: result } : { error: result }),
});

/** A delivery by its item. */
export function deliveryIn(item: unknown): Delivery {
  const { attempts, ...rest } = keptAttempts.parse(item);
  return delivery.parse({ ...rest, attempts: attempts.map(asMade) });
}

const expiring = z.object({ expiresAt: z.int() });

/** Reads of the deliveries table, for which an expired item does not exist, whether it is deleted yet or not. */
export function createDeliveryRepository(dynamo: DynamoDBDocumentClient, table: string) {
  return {
    async find(deliveryId: string, now: Date): Promise<Delivery | undefined> {
      const { Item } = await dynamo.send(
        new GetCommand({ TableName: table, Key: deliveryKey(deliveryId), ConsistentRead: true }),
      );
      return Item && expiring.parse(Item).expiresAt * 1000 > now.getTime() ? deliveryIn(Item) : undefined;
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
      found.push(...(await batchGetFound(dynamo, clock, table, group, { parse: deliveryIn })));
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
    const newest = await batchGetFound(dynamo, clock, table, keys, { parse: deliveryIn });
    return newest.filter(({ status, attempts }) => status === 'PENDING' && attempts.length === 0).length;
  };
}

export type CountUnattempted = ReturnType<typeof createCountUnattempted>;
