import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { batchGet } from '#shared/platform/dynamodb/batch-get.ts';
import { firstOfShards } from '#shared/platform/dynamodb/sharded-entries.ts';
import { shards } from '#shared/platform/dynamodb/shards.ts';
import { webhookHealth } from './webhook-health.ts';
import { FAILING } from './webhook-health-store.ts';

const indexEntry = z.object({ webhookId: z.string(), failingSince: z.string() });

const failing = z.extend(webhookHealth, { webhookId: z.string(), clientId: z.string() });

export type FailingWebhook = Readonly<z.infer<typeof failing>>;

interface Found {
  readonly failing: readonly FailingWebhook[];
  /** Since when the one after them fails. */
  readonly nextAt?: string;
}

/** The health of webhooks whose last call has failed, the longest failing first, at most 100. */
export function createListFailing(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return async (since: string, most: number): Promise<Found> => {
    const { entries, nextAt } = await firstOfShards(dynamo, table, indexEntry, {
      index: 'failing',
      keys: ['failingShard', 'failingSince'],
      shards: shards(FAILING),
      since,
      upTo: clock.now().toISOString(),
      most,
      atOf: ({ failingSince }) => failingSince,
    });
    const next = nextAt === undefined ? {} : { nextAt };
    if (entries.length === 0) return { failing: [], ...next };
    const items = await batchGet(
      dynamo,
      clock,
      table,
      entries.map(({ webhookId }) => ({ webhookId })),
    );
    return { failing: items.filter((item) => item !== undefined).map((item) => failing.parse(item)), ...next };
  };
}

export type ListFailing = ReturnType<typeof createListFailing>;
