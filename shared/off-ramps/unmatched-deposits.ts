import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { firstItemsOfShards } from '#shared/platform/dynamodb/sharded-entries.ts';
import { deposit } from './deposit.ts';

const kinds = deposit.shape.unmatched.def.innerType.options;

const indexEntry = z.object({ custodianTransferId: z.string(), unmatchedSince: z.string() });

/** Deposits that wait for finance, of whatever kind, the longest waiting first, at most 100. */
export function createListUnmatched(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return (since: string, most: number) =>
    firstItemsOfShards(dynamo, clock, table, {
      index: 'unmatched',
      keys: ['unmatched', 'unmatchedSince'],
      shards: kinds,
      since,
      most,
      entry: indexEntry,
      atOf: ({ unmatchedSince }) => unmatchedSince,
      keyOf: ({ custodianTransferId }) => ({ custodianTransferId }),
      item: deposit,
    });
}

export type ListUnmatched = ReturnType<typeof createListUnmatched>;
