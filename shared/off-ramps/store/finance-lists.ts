import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { isOwed } from '#shared/off-ramps/model/contradictions.ts';
import { type Deposit, deposit } from '#shared/off-ramps/model/deposit.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { readFirstItemsOfShards } from '#shared/platform/dynamodb/index-entries.ts';
import { type TransactionLeg, transact, WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { findFundingDeposit } from './claims.ts';
import { createFindDeposit } from './deposit-repository.ts';
import { checkOperationUnchanged } from './off-ramp-repository.ts';

/* Lists of deposits that wait for finance operations. */

const kinds = deposit.shape.unmatched.def.innerType.options;

const unmatchedEntry = z.object({ custodianTransferId: z.string(), unmatchedSince: z.string() });

/** Lists unmatched and reversed deposits, oldest first, at most 100. */
export function createListUnmatched(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return (since: string, most: number) =>
    readFirstItemsOfShards(dynamo, clock, table, {
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

/** Milliseconds until an unreadable transfer is listed: the custodian's fault may pass before a person has to ask. */
const LISTED_AFTER = 3600_000;

const unreadableEntry = z.object({ custodianTransferId: z.string(), unreadableSince: z.string() });

/** A listed deposit. One that was never readable may have only its id. */
const unreadableDeposit = z.partial(deposit, {
  network: true,
  txHash: true,
  firstNotifiedAt: true,
  lastNotifiedAt: true,
});

/** Lists transfers whose custodian's answers have been unreadable for an hour, oldest first, at most 100. */
export function createListUnreadable(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return (since: string, most: number) =>
    readFirstItemsOfShards(dynamo, clock, table, {
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
 * The leg that adds the credited deposit of an operation to finance's list `owed`, or removes it, if the step from
 * `before` to `after` changes whether it is owed. A deposit whose return is requested is not listed: the end of the
 * return decides again.
 */
export async function updateOwedList(
  dynamo: DynamoDBDocumentClient,
  tables: { readonly deposits: string; readonly hashes: string },
  before: OffRamp,
  after: OffRamp,
  at: string,
): Promise<{ owed?: TransactionLeg }> {
  const { verifiedTxHash, operationId } = after;
  if (verifiedTxHash === undefined || isOwed(before) === isOwed(after)) return {};
  const custodianTransferId = await findFundingDeposit(dynamo, tables.hashes, verifiedTxHash);
  const isReturned =
    isOwed(after) && (await createFindDeposit(dynamo, tables.deposits)(custodianTransferId))?.return !== undefined;
  const placing = isOwed(after) ? (isReturned ? owedFrom : listingFor) : unlisting;
  const asRead = isOwed(after) ? ` AND attribute_${isReturned ? '' : 'not_'}exists(#return)` : '';
  return {
    owed: {
      Update: {
        TableName: tables.deposits,
        Key: { custodianTransferId },
        ConditionExpression: `attribute_exists(creditedAt) AND operationId = :operation${asRead}`,
        ...(asRead !== '' && { ExpressionAttributeNames: { '#return': 'return' } }),
        ...placing(operationId, at),
      },
    },
  };
}

/** The update that adds the deposit of an operation to the list `owed`. */
const listingFor = (operationId: string, at: string) => ({
  UpdateExpression: 'SET owed = :owed, owedSince = :at',
  ExpressionAttributeValues: { ':operation': operationId, ':owed': OWED, ':at': at },
});

/** The update for a deposit whose return is requested: it is not listed, but keeps since when it is owed. */
const owedFrom = (operationId: string, at: string) => ({
  UpdateExpression: 'SET owedSince = :at',
  ExpressionAttributeValues: { ':operation': operationId, ':at': at },
});

const unlisting = (operationId: string) => ({
  UpdateExpression: 'REMOVE owed, owedSince',
  ExpressionAttributeValues: { ':operation': operationId },
});

/**
 * Adds the owed deposit of an operation to the list `owed`, unless it is already listed, has a return, or is settled.
 *
 * @throws {WriteConflict} when the operation has changed since it was read: it may have been paid out
 */
export async function addOwedDeposit(
  dynamo: DynamoDBDocumentClient,
  tables: { readonly operations: string; readonly deposits: string; readonly hashes: string },
  operation: OffRamp,
  clock: Clock,
): Promise<void> {
  const { operationId, verifiedTxHash } = operation;
  if (verifiedTxHash === undefined || !isOwed(operation)) return;
  const lost = await transact(dynamo, {
    operation: checkOperationUnchanged(tables.operations, operation),
    owed: {
      Update: {
        TableName: tables.deposits,
        Key: { custodianTransferId: await findFundingDeposit(dynamo, tables.hashes, verifiedTxHash) },
        ...listingFor(operationId, clock.now().toISOString()),
        ConditionExpression:
          'attribute_exists(creditedAt) AND operationId = :operation AND attribute_not_exists(owed) AND attribute_not_exists(#return) AND attribute_not_exists(settled)',
        ExpressionAttributeNames: { '#return': 'return' },
      },
    },
  });
  if (lost.has('operation')) throw new WriteConflict('operation');
}

const owedEntry = z.object({ custodianTransferId: z.string(), owedSince: z.string() });

/** Lists owed deposits, oldest first, at most 100, including those that were taken back. */
export function createListOwed(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return (since: string, most: number) =>
    readFirstItemsOfShards(dynamo, clock, table, {
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
