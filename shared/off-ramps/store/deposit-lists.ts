import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { isOwed } from '#shared/off-ramps/model/contradictions.ts';
import { type Deposit, deposit, depositIdOf } from '#shared/off-ramps/model/deposit.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { batchGetReadable } from '#shared/platform/dynamodb/batch-get.ts';
import { firstEntries, firstItemsOfShards, indexEntries } from '#shared/platform/dynamodb/index-entries.ts';
import type { TransactionLeg } from '#shared/platform/dynamodb/transaction.ts';

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

/**
 * The transfers of a transaction that the service knows and can read, the first seen first; the index may lag behind. More
 * than are listed are in one transaction only when somebody wants it so.
 */
export function createListDepositsOfHash(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return async (txHash: string): Promise<readonly Deposit[]> => {
    const keys = await firstEntries(dynamo, table, indexEntry, {
      index: 'byHash',
      condition: 'txHash = :hash',
      values: { ':hash': txHash },
      most: MOST_LISTED,
    });
    return (await batchGetReadable(dynamo, clock, table, keys, deposit)).items;
  };
}

export type ListDepositsOfHash = ReturnType<typeof createListDepositsOfHash>;

const kinds = deposit.shape.unmatched.def.innerType.options;

const unmatchedEntry = z.object({ custodianTransferId: z.string(), unmatchedSince: z.string() });

/** Deposits that wait for finance, of whatever kind, the longest waiting first, at most 100. */
export function createListUnmatched(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return (since: string, most: number) =>
    firstItemsOfShards(dynamo, clock, table, {
      index: 'unmatched',
      keys: ['unmatched', 'unmatchedSince'],
      shards: kinds,
      since,
      most,
      entry: unmatchedEntry,
      keyOf: ({ custodianTransferId }) => ({ custodianTransferId }),
      item: deposit,
    });
}

export type ListUnmatched = ReturnType<typeof createListUnmatched>;

const UNREADABLE = deposit.shape.unreadable.def.innerType.def.values;

/** Milliseconds. A fault of the custodian may pass before somebody has to ask it. */
const LISTED_AFTER = 3600_000;

const unreadableEntry = z.object({ custodianTransferId: z.string(), unreadableSince: z.string() });

/** Of one that could never be read no more may be known than its id. */
const unreadableDeposit = z.partial(deposit, {
  network: true,
  txHash: true,
  firstNotifiedAt: true,
  lastNotifiedAt: true,
});

/** Transfers of which the custodian's answer has not been readable for an hour, the longest first, at most 100. */
export function createListUnreadable(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return (since: string, most: number) =>
    firstItemsOfShards(dynamo, clock, table, {
      index: 'unreadable',
      keys: ['unreadable', 'unreadableSince'],
      shards: UNREADABLE,
      since,
      upTo: new Date(clock.now().getTime() - LISTED_AFTER).toISOString(),
      most,
      entry: unreadableEntry,
      keyOf: ({ custodianTransferId }) => ({ custodianTransferId }),
      item: unreadableDeposit,
    });
}

export type ListUnreadable = ReturnType<typeof createListUnreadable>;

export const OWED = 'OWED' satisfies Deposit['owed'];

/**
 * The leg that puts the credited deposit of an operation on finance's list of those that are owed, or takes it off, if
 * the transaction that makes `before` into `after` changes that.
 */
export function oweDeposit(table: string, before: OffRamp, after: OffRamp, at: string): { owed?: TransactionLeg } {
  const { verifiedTransferId: custodianTransferId, operationId } = after;
  if (custodianTransferId === undefined || isOwed(before) === isOwed(after)) return {};
  return {
    owed: {
      Update: {
        TableName: table,
        Key: { custodianTransferId },
        ConditionExpression: 'creditedTo = :operation',
        ...(isOwed(after)
          ? {
              UpdateExpression: 'SET owed = :owed, owedSince = :at',
              ExpressionAttributeValues: { ':operation': operationId, ':owed': OWED, ':at': at },
            }
          : {
              UpdateExpression: 'REMOVE owed, owedSince',
              ExpressionAttributeValues: { ':operation': operationId },
            }),
      },
    },
  };
}

const owedEntry = z.object({ custodianTransferId: z.string(), owedSince: z.string() });

/** Deposits that are owed, the longest first, at most 100; also those that were taken back meanwhile. */
export function createListOwed(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return (since: string, most: number) =>
    firstItemsOfShards(dynamo, clock, table, {
      index: 'owed',
      keys: ['owed', 'owedSince'],
      shards: [OWED],
      since,
      most,
      entry: owedEntry,
      keyOf: ({ custodianTransferId }) => ({ custodianTransferId }),
      item: deposit,
    });
}

export type ListOwed = ReturnType<typeof createListOwed>;
