import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '#shared/platform/clock.ts';
import { batchGet } from '#shared/platform/dynamodb/batch-get.ts';
import { type Circuit, circuitOf, judgedAt, type WebhookHealth } from './webhook-health.ts';
import { asRead, type Configured } from './webhook-health-store.ts';

/** The circuits of at most 100 webhooks, in their order: apart from the store, so that who reads them bundles nothing that writes. */
export function createReadCircuits(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const readHealths = createReadHealths(dynamo, table, clock);
  return async (webhooks: readonly Configured[]): Promise<readonly Circuit[]> =>
    (await readHealths(webhooks)).map(({ circuit }) => circuit);
}

export interface KnownHealth {
  readonly circuit: Circuit;
  /** Since its configuration was changed the last time. */
  readonly health: WebhookHealth;
}

/** The same, and what it comes from. */
export function createReadHealths(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return async (webhooks: readonly Configured[]): Promise<readonly KnownHealth[]> => {
    const keys = webhooks.map(({ webhookId }) => ({ webhookId }));
    const items = await batchGet(dynamo, clock, table, keys);
    const now = clock.now();
    return webhooks.map(({ sequence }, index) => {
      const { health } = asRead(items[index], sequence);
      return { circuit: circuitOf(health, sequence, now), health: judgedAt(health, sequence, now) };
    });
  };
}

export type ReadHealths = ReturnType<typeof createReadHealths>;

export type ReadCircuits = ReturnType<typeof createReadCircuits>;
