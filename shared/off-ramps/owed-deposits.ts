import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { firstItemsOfShards } from '#shared/platform/dynamodb/sharded-entries.ts';
import type { TransactionLeg } from '#shared/platform/dynamodb/transaction.ts';
import { isOwed } from './contradictions.ts';
import { type Deposit, deposit } from './deposit.ts';
import type { OffRamp } from './off-ramp.ts';

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

const indexEntry = z.object({ custodianTransferId: z.string(), owedSince: z.string() });

/** Deposits that are owed, the longest first, at most 100; also those that were taken back meanwhile. */
export function createListOwed(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return (since: string, most: number) =>
    firstItemsOfShards(dynamo, clock, table, {
      index: 'owed',
      keys: ['owed', 'owedSince'],
      shards: [OWED],
      since,
      most,
      entry: indexEntry,
      atOf: ({ owedSince }) => owedSince,
      keyOf: ({ custodianTransferId }) => ({ custodianTransferId }),
      item: deposit,
    });
}

export type ListOwed = ReturnType<typeof createListOwed>;
