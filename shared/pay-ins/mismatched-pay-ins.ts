import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { firstOfShards } from '#shared/platform/dynamodb/sharded-entries.ts';

/** The one partition of an index that few pay-ins are in: somebody has to end each of them. */
export const MISMATCHED = 'MISMATCHED';

const indexEntry = z.object({ payinId: z.string(), mismatchedAt: z.string() });

/** Pay-ins for which another amount was paid than was ordered, the longest waiting first. */
export function createListMismatched(dynamo: DynamoDBDocumentClient, table: string) {
  return async (since: string, upTo: string, most: number) =>
    firstOfShards(dynamo, table, indexEntry, {
      index: 'mismatched',
      keys: ['mismatched', 'mismatchedAt'],
      shards: [MISMATCHED],
      since,
      upTo,
      most,
    });
}

export type ListMismatched = ReturnType<typeof createListMismatched>;
