import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { batchGet } from '#shared/platform/dynamodb/batch-get.ts';
import { firstEntries } from '#shared/platform/dynamodb/index-entries.ts';
import { type Deposit, deposit } from './deposit.ts';

/** More are in one transaction only when somebody wants it so. */
const MOST_READ = 100;

const indexEntry = z.object({ custodianTransferId: z.string() });

/** The transfers of a transaction that the service knows, the first seen first; the index may lag behind. */
export function createListDepositsOfHash(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return async (txHash: string): Promise<readonly Deposit[]> => {
    const keys = await firstEntries(dynamo, table, indexEntry, {
      index: 'byHash',
      condition: 'txHash = :hash',
      values: { ':hash': txHash },
      most: MOST_READ,
    });
    if (keys.length === 0) return [];
    const found = await batchGet(dynamo, clock, table, keys);
    return found.filter((item) => item !== undefined).map((item) => deposit.parse(item));
  };
}

export type ListDepositsOfHash = ReturnType<typeof createListDepositsOfHash>;
