import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { pageOfShards } from '#shared/platform/dynamodb/sharded-page.ts';
import { offRamp } from './off-ramp.ts';
import { CREDITED_INDEX, creditedShards, operationKey } from './off-ramp-store.ts';

const indexEntry = z.object({ operationId: z.string(), creditedAt: z.string() });

/** An off-ramp that has its deposit. */
const creditedOperation = z.extend(offRamp, {
  creditedAt: z.string(),
  verifiedTxHash: z.string(),
  verifiedTransferId: z.string(),
});

/** Off-ramps by when their deposits were credited, between these times, the first one first. */
export function createListCredited(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return async (since: string, upTo: string, most: number) => {
    const { items, ...next } = await pageOfShards(dynamo, clock, table, indexEntry, {
      index: CREDITED_INDEX,
      keys: ['creditedShard', 'creditedAt'],
      shards: creditedShards,
      since,
      upTo,
      most,
      atOf: ({ creditedAt }) => creditedAt,
      keyOf: ({ operationId }) => operationKey(operationId),
    });
    return { items: items.map((item) => creditedOperation.parse(item)), ...next };
  };
}

export type ListCredited = ReturnType<typeof createListCredited>;
