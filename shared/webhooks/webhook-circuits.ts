import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '#shared/platform/clock.ts';
import { batchGet } from '#shared/platform/dynamodb/batch-get.ts';
import { type Circuit, circuitOf } from './webhook-health.ts';
import { asRead, type Configured } from './webhook-health-store.ts';

/** The circuits of at most 100 webhooks, in their order: apart from the store, so that who reads them bundles nothing that writes. */
export function createReadCircuits(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return async (webhooks: readonly Configured[]): Promise<readonly Circuit[]> => {
    const keys = webhooks.map(({ webhookId }) => ({ webhookId }));
    const items = await batchGet(dynamo, clock, table, keys);
    const now = clock.now();
    return webhooks.map(({ sequence }, index) => circuitOf(asRead(items[index], sequence).health, sequence, now));
  };
}

export type ReadCircuits = ReturnType<typeof createReadCircuits>;
