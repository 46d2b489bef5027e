import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { firstItemsOfShards } from '#shared/platform/dynamodb/sharded-entries.ts';
import { shards } from '#shared/platform/dynamodb/shards.ts';
import { webhookHealth } from './webhook-health.ts';
import { FAILING } from './webhook-health-store.ts';

const indexEntry = z.object({ webhookId: z.string(), failingSince: z.string() });

const failing = z.extend(webhookHealth, { webhookId: z.string(), clientId: z.string() });

export type FailingWebhook = Readonly<z.infer<typeof failing>>;

/** The health of webhooks whose last call has failed, the longest failing first, at most 100. */
export function createListFailing(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return (since: string, most: number) =>
    firstItemsOfShards(dynamo, clock, table, {
      index: 'failing',
      keys: ['failingShard', 'failingSince'],
      shards: shards(FAILING),
      since,
      most,
      entry: indexEntry,
      atOf: ({ failingSince }) => failingSince,
      keyOf: ({ webhookId }) => ({ webhookId }),
      item: failing,
    });
}

export type ListFailing = ReturnType<typeof createListFailing>;
