import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { mayPayFor } from '#shared/off-ramps/model/contradictions.ts';
import { type Deposit, deposit, depositIdOf } from '#shared/off-ramps/model/deposit.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { batchGetReadable, type ReadItems } from '#shared/platform/dynamodb/batch-get.ts';
import { queryIndex, readFirstEntries } from '#shared/platform/dynamodb/index-entries.ts';
import { createFindDeposit } from './deposit-repository.ts';

/** A sparse index of the deposits that were seen at the address of an operation. */
const OPERATION_INDEX = 'byOperation';

/** The most unawaited deposits per operation that a client sees, and the size of a page. */
export const MOST_LISTED = 100;

const indexEntry = z.object({ custodianTransferId: z.string() });

type IndexEntry = z.infer<typeof indexEntry>;

interface Page {
  readonly deposits: readonly Deposit[];
  /** The custodian's ids of unreadable deposits. */
  readonly unreadableIds: readonly string[];
  /** Id of the deposit after which the next page begins; absent on the last one. */
  readonly nextCursor?: string;
}

/**
 * Lists a page of an operation's deposits, oldest first; `undefined` for a cursor of another list. Reads the index from
 * its beginning each time: the limit of unawaited deposits keeps it short, whatever strangers send.
 */
export function createListDepositsOf(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return async (operationId: string, cursor?: string): Promise<Page | undefined> => {
    const all: IndexEntry[] = [];
    const query = { ...depositsOf(operationId), pageSize: MOST_LISTED };
    for await (const entry of queryIndex(dynamo, table, indexEntry, query)) all.push(entry);
    const after = all.findIndex(({ custodianTransferId }) => depositIdOf(custodianTransferId) === cursor);
    if (cursor !== undefined && after === -1) return undefined;
    const keys = all.slice(after + 1, after + 1 + MOST_LISTED);
    const last = keys.at(-1);
    if (last === undefined) return { deposits: [], unreadableIds: [] };
    return {
      ...pageOf(await batchGetReadable(dynamo, clock, table, keys, deposit)),
      ...(last !== all.at(-1) && { nextCursor: depositIdOf(last.custodianTransferId) }),
    };
  };
}

/** Finds one deposit of an operation by the id that clients see. The newest may be missing for a moment. */
export function createFindDepositOf(dynamo: DynamoDBDocumentClient, table: string) {
  const find = createFindDeposit(dynamo, table);
  return async (operationId: string, depositId: string): Promise<Deposit | undefined> => {
    const query = { ...depositsOf(operationId), pageSize: MOST_LISTED };
    for await (const { custodianTransferId } of queryIndex(dynamo, table, indexEntry, query)) {
      if (depositIdOf(custodianTransferId) !== depositId) continue;
      const found = await find(custodianTransferId);
      return found?.operationId === operationId ? found : undefined;
    }
    return undefined;
  };
}

export type FindDepositOf = ReturnType<typeof createFindDepositOf>;

export type ListDepositsOf = ReturnType<typeof createListDepositsOf>;

/** Reads all pages of an operation's deposits, and the ids of unreadable ones. */
export async function readAllDepositsOf(list: ListDepositsOf, operationId: string) {
  const deposits: Deposit[] = [];
  const unreadableIds: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await list(operationId, cursor);
    deposits.push(...(page?.deposits ?? []));
    unreadableIds.push(...(page?.unreadableIds ?? []));
    cursor = page?.nextCursor;
  } while (cursor !== undefined);
  return { deposits, unreadableIds };
}

/** Finds deposits that the payout of an operation may be for, and that are being sent back or were sent back. */
export function createFindReturningDeposits(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const list = createListDepositsOf(dynamo, table, clock);
  return async (operation: OffRamp): Promise<readonly Deposit[]> => {
    const { deposits } = await readAllDepositsOf(list, operation.operationId);
    return deposits.filter((one) => one.return?.sendingAt !== undefined && mayPayFor(operation, one));
  };
}

export type FindReturningDeposits = ReturnType<typeof createFindReturningDeposits>;

/** Counts an operation's deposits, up to `MOST_LISTED`. The latest may be missing. */
export function createCountDepositsOf(dynamo: DynamoDBDocumentClient, table: string) {
  return async (operationId: string): Promise<number> => {
    const query = { ...depositsOf(operationId), most: MOST_LISTED };
    return (await readFirstEntries(dynamo, table, indexEntry, query)).length;
  };
}

export type CountDepositsOf = ReturnType<typeof createCountDepositsOf>;

const depositsOf = (operationId: string) => ({
  index: OPERATION_INDEX,
  condition: 'operationId = :operation',
  values: { ':operation': operationId },
});

/**
 * Lists the known transfers of a transaction, in the order in which they were first seen. The index may lag. Only a
 * transaction that was made for this purpose has more than the limit.
 */
export function createListDepositsOfHash(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return async (txHash: string): Promise<Page> => {
    const keys = await readFirstEntries(dynamo, table, indexEntry, {
      index: 'byHash',
      condition: 'txHash = :hash',
      values: { ':hash': txHash },
      most: MOST_LISTED,
    });
    return pageOf(await batchGetReadable(dynamo, clock, table, keys, deposit));
  };
}

function pageOf({ items, unreadable }: ReadItems<Deposit>): Page {
  return { deposits: items, unreadableIds: unreadable.map(({ custodianTransferId }) => String(custodianTransferId)) };
}

export type ListDepositsOfHash = ReturnType<typeof createListDepositsOfHash>;
