import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { firstItemsOfShards } from '#shared/platform/dynamodb/sharded-entries.ts';
import { shards } from '#shared/platform/dynamodb/shards.ts';
import { offRamp } from './off-ramp.ts';
import { CONTRADICTED, CONTRADICTED_INDEX, operationKey } from './off-ramp-store.ts';

const indexEntry = z.object({ operationId: z.string(), contradictedSince: z.string() });

/** Operations of which a contradiction stands, the longest first, at most 100. */
export function createListContradicted(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return (since: string, most: number) =>
    firstItemsOfShards(dynamo, clock, table, {
      index: CONTRADICTED_INDEX,
      keys: ['contradictedShard', 'contradictedSince'],
      shards: shards(CONTRADICTED),
      since,
      most,
      entry: indexEntry,
      atOf: ({ contradictedSince }) => contradictedSince,
      keyOf: ({ operationId }) => operationKey(operationId),
      item: offRamp,
    });
}

export type ListContradicted = ReturnType<typeof createListContradicted>;
