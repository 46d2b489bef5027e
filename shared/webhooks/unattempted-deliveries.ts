import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '#shared/platform/clock.ts';
import { batchGetFound } from '#shared/platform/dynamodb/batch-get.ts';
import { delivery } from './delivery.ts';
import { createDeliveryStore, deliveryKey } from './delivery-store.ts';

/** As many as one read can ask for. */
const MOST_READ = 100;

/** How many of a webhook's newest deliveries wait without ever having been attempted: at most a hundred are looked at. */
export function createCountUnattempted(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const { idsOfWebhook } = createDeliveryStore(dynamo, table);
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
