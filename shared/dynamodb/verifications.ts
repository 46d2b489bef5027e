import { type DynamoDBClient, type TransactWriteItem, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import type { Shortcoming } from '#shared/domain/deposit-match.ts';
import type { Verification } from '#shared/domain/operation.ts';
import { assignments } from './assignments.ts';
import { toItem } from './client.ts';
import { unlessConditionFails } from './condition.ts';
import { indexEntries } from './index-entries.ts';
import { verificationKey } from './operations.ts';
import { shardOf, shards } from './shards.ts';
import { updateItem } from './update-item.ts';

/** Sparse: only verifications with another look to come are in it. */
const DUE_INDEX = 'due';

export const dueShards = shards('LOOK');

/** The leg that starts an attempt, whose first look is due at once; it replaces the attempt before it. */
export function putVerification(table: string, verification: Verification): TransactWriteItem {
  return {
    Put: {
      TableName: table,
      Item: toItem({ ...verification, record: 'VERIFICATION', dueShard: shardOf('LOOK', verification.operationId) }),
    },
  };
}

/** What one look found, and when the next one is; none takes the verification out of the index. */
export interface LookResult {
  readonly lastCheckedAt: string;
  readonly nextCheckAt: string | undefined;
  readonly shortcoming: Shortcoming | undefined;
}

export function verificationsIn(dynamo: DynamoDBClient, table: string) {
  return {
    /** Keeps a look's result; false when the attempt is no longer the current one. */
    recordLook: (current: { operationId: string; attempt: number }, result: LookResult) =>
      updateIfCurrent(dynamo, table, current, {
        lastCheckedAt: result.lastCheckedAt,
        nextCheckAt: result.nextCheckAt,
        dueShard: result.nextCheckAt && shardOf('LOOK', current.operationId),
        reason: result.shortcoming?.reason,
        confirmations: result.shortcoming?.confirmations,
        requiredConfirmations: result.shortcoming?.requiredConfirmations,
      }),

    /** Takes an attempt that needs no further look out of the index. */
    settle: (current: { operationId: string; attempt: number }) =>
      updateIfCurrent(dynamo, table, current, { nextCheckAt: undefined, dueShard: undefined }),

    /** Operation ids in one shard whose next look was due before the given time, most overdue first. */
    async *overdue(shard: string, before: string): AsyncGenerator<string> {
      const entries = indexEntries(dynamo, table, dueEntry, {
        index: DUE_INDEX,
        condition: 'dueShard = :shard AND nextCheckAt < :before',
        values: { ':shard': shard, ':before': before },
      });
      for await (const { operationId } of entries) yield operationId;
    },
  };
}

export type Verifications = ReturnType<typeof verificationsIn>;

const dueEntry = z.object({ operationId: z.string() });

async function updateIfCurrent(
  dynamo: DynamoDBClient,
  table: string,
  current: { operationId: string; attempt: number },
  attributes: Readonly<Record<string, string | number | undefined>>,
): Promise<boolean> {
  const { expression, names, values } = assignments(attributes);
  const update = new UpdateItemCommand({
    TableName: table,
    Key: verificationKey(current.operationId),
    UpdateExpression: expression,
    ConditionExpression: 'attempt = :attempt',
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: toItem({ ...values, ':attempt': current.attempt }),
  });
  return (await unlessConditionFails(updateItem(dynamo, update))) !== undefined;
}
