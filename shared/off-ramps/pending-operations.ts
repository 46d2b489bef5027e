import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { firstOfShards } from '#shared/platform/dynamodb/sharded-entries.ts';
import { PENDING_INDEX, pendingShards } from './off-ramp-store.ts';

const indexEntry = z.object({ operationId: z.string(), creditedAt: z.string() });

/** Operations that wait for their payout, and were credited between these times, the longest first. */
export function createListPending(dynamo: DynamoDBDocumentClient, table: string) {
  return (since: string, upTo: string, most: number) =>
    firstOfShards(dynamo, table, indexEntry, {
      index: PENDING_INDEX,
      keys: ['pendingShard', 'creditedAt'],
      shards: pendingShards,
      since,
      upTo,
      most,
      atOf: ({ creditedAt }) => creditedAt,
    });
}

export type ListPending = ReturnType<typeof createListPending>;
