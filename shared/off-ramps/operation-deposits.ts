import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { batchGetReadable } from '#shared/platform/dynamodb/batch-get.ts';
import { firstEntries, indexEntries } from '#shared/platform/dynamodb/index-entries.ts';
import { type Deposit, deposit } from './deposit.ts';
import { depositIdOf } from './deposit-id.ts';

/* Apart from the store, so that who reads them bundles nothing that writes. */

/** Sparse: deposits that have been seen at the address of an operation. */
const OPERATION_INDEX = 'byOperation';

/** Deposits of one operation that a client hears of, besides those that are what it awaits; and those of one page. */
export const MOST_LISTED = 100;

const indexEntry = z.object({ custodianTransferId: z.string() });

type IndexEntry = z.infer<typeof indexEntry>;

interface Page {
  readonly deposits: readonly Deposit[];
  /** The custodian's ids of those that are stored in a way that cannot be read. */
  readonly unreadableIds: readonly string[];
  /** Id of the deposit after which the next page begins; absent on the last one. */
  readonly nextCursor?: string;
}

/**
 * A page of what was sent to the address of an operation while it was its own, oldest first; `undefined` when the cursor
 * is none of it. The index is read from its beginning, because strangers cannot make it long.
 */
export function createListDepositsOf(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return async (operationId: string, cursor?: string): Promise<Page | undefined> => {
    const all: IndexEntry[] = [];
    const query = { ...depositsOf(operationId), pageSize: MOST_LISTED };
    for await (const entry of indexEntries(dynamo, table, indexEntry, query)) all.push(entry);
    const after = all.findIndex(({ custodianTransferId }) => depositIdOf(custodianTransferId) === cursor);
    if (cursor !== undefined && after === -1) return undefined;
    const keys = all.slice(after + 1, after + 1 + MOST_LISTED);
    const last = keys.at(-1);
    if (last === undefined) return { deposits: [], unreadableIds: [] };
    const { items, unreadable } = await batchGetReadable(dynamo, clock, table, keys, deposit);
    return {
      deposits: items,
      unreadableIds: unreadable.map(({ custodianTransferId }) => String(custodianTransferId)),
      ...(last !== all.at(-1) && { nextCursor: depositIdOf(last.custodianTransferId) }),
    };
  };
}

export type ListDepositsOf = ReturnType<typeof createListDepositsOf>;

/** How many deposits an operation has, up to the most that are listed; what was written a moment ago may be missing. */
export function createCountDepositsOf(dynamo: DynamoDBDocumentClient, table: string) {
  return async (operationId: string): Promise<number> => {
    const query = { ...depositsOf(operationId), most: MOST_LISTED };
    return (await firstEntries(dynamo, table, indexEntry, query)).length;
  };
}

export type CountDepositsOf = ReturnType<typeof createCountDepositsOf>;

const depositsOf = (operationId: string) => ({
  index: OPERATION_INDEX,
  condition: 'operationId = :operation',
  values: { ':operation': operationId },
});
