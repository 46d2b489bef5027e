import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { batchGet } from '#shared/platform/dynamodb/batch-get.ts';
import { firstOfShards } from '#shared/platform/dynamodb/sharded-entries.ts';
import { type Deposit, deposit } from './deposit.ts';

const kinds = deposit.shape.unmatched.def.innerType.options;

const indexEntry = z.object({ custodianTransferId: z.string(), unmatchedSince: z.string() });

interface Found {
  readonly deposits: readonly Deposit[];
  /** Since when the one after them waits. */
  readonly nextAt?: string;
}

/** Deposits that wait for finance, of whatever kind, the longest waiting first, at most 100. */
export function createListUnmatched(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return async (since: string, most: number): Promise<Found> => {
    const { entries, nextAt } = await firstOfShards(dynamo, table, indexEntry, {
      index: 'unmatched',
      keys: ['unmatched', 'unmatchedSince'],
      shards: kinds,
      since,
      upTo: clock.now().toISOString(),
      most,
      atOf: ({ unmatchedSince }) => unmatchedSince,
    });
    const next = nextAt === undefined ? {} : { nextAt };
    if (entries.length === 0) return { deposits: [], ...next };
    const keys = entries.map(({ custodianTransferId }) => ({ custodianTransferId }));
    const items = await batchGet(dynamo, clock, table, keys);
    return { deposits: items.filter((item) => item !== undefined).map((item) => deposit.parse(item)), ...next };
  };
}

export type ListUnmatched = ReturnType<typeof createListUnmatched>;
