import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { batchGetReadable } from '#shared/platform/dynamodb/batch-get.ts';
import { firstEntries } from '#shared/platform/dynamodb/index-entries.ts';
import { type Deposit, deposit } from './deposit.ts';

/** More are in one transaction only when somebody wants it so. */
const MOST_READ = 100;

const indexEntry = z.object({ custodianTransferId: z.string() });

/** The transfers of a transaction that the service knows and can read, the first seen first; the index may lag behind. */
export function createListDepositsOfHash(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return async (txHash: string): Promise<readonly Deposit[]> => {
    const keys = await firstEntries(dynamo, table, indexEntry, {
      index: 'byHash',
      condition: 'txHash = :hash',
      values: { ':hash': txHash },
      most: MOST_READ,
    });
    return (await batchGetReadable(dynamo, clock, table, keys, deposit)).items;
  };
}

export type ListDepositsOfHash = ReturnType<typeof createListDepositsOfHash>;
