import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { batchGet } from '#shared/platform/dynamodb/batch-get.ts';
import { indexEntries } from '#shared/platform/dynamodb/index-entries.ts';
import { type Deposit, deposit } from './deposit.ts';

/* Apart from the store, so that who reads them bundles nothing that writes. */

/** Sparse: deposits that have been seen at the address of an operation. */
const OPERATION_INDEX = 'byOperation';

/** Deposits of one operation that are listed; strangers can send it as many as they like. */
const MOST_LISTED = 100;

const indexEntry = z.object({ custodianTransferId: z.string() });

/** What was sent to the address of an operation while it was its own, oldest first; at most 100. */
export function createListDepositsOf(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return async (operationId: string): Promise<readonly Deposit[]> => {
    const entries = indexEntries(dynamo, table, indexEntry, {
      index: OPERATION_INDEX,
      condition: 'operationId = :operation',
      values: { ':operation': operationId },
      pageSize: MOST_LISTED,
    });
    const keys: z.infer<typeof indexEntry>[] = [];
    for await (const { custodianTransferId } of entries) if (keys.push({ custodianTransferId }) === MOST_LISTED) break;
    if (keys.length === 0) return [];
    const found = await batchGet(dynamo, clock, table, keys);
    return found.filter((item) => item !== undefined).map((item) => deposit.parse(item));
  };
}

export type ListDepositsOf = ReturnType<typeof createListDepositsOf>;
