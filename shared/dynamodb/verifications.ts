import { type DynamoDBClient, type TransactWriteItem, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import type { Shortcoming } from '#shared/domain/deposit-match.ts';
import { nextLookOfNextRun } from '#shared/domain/next-run.ts';
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

type Current = Pick<Verification, 'operationId' | 'attempt'>;

export function verificationsIn(dynamo: DynamoDBClient, table: string) {
  return {
    /** Keeps a look's result; false when the attempt is no longer the current one. */
    recordLook: ({ operationId, attempt }: Current, result: LookResult) =>
      updateIf(
        dynamo,
        table,
        operationId,
        { attempt },
        {
          lastCheckedAt: result.lastCheckedAt,
          nextCheckAt: result.nextCheckAt,
          dueShard: result.nextCheckAt && shardOf('LOOK', operationId),
          reason: result.shortcoming?.reason,
          confirmations: result.shortcoming?.confirmations,
          requiredConfirmations: result.shortcoming?.requiredConfirmations,
        },
      ),

    /** Takes an attempt that needs no further look out of the index. */
    settle: ({ operationId, attempt }: Current) =>
      updateIf(dynamo, table, operationId, { attempt }, { nextCheckAt: undefined, dueShard: undefined }),

    /**
     * Begins the next run of an attempt whose execution broke off; `undefined` when something was written since it was
     * read. The time of its next look tells one that has ended meanwhile, and is not to be revived, from one that broke off.
     */
    async beginRun(seen: Verification, now: Date): Promise<Verification | undefined> {
      const { operationId, attempt, run, nextCheckAt } = seen;
      const next = { run: run + 1, nextCheckAt: nextLookOfNextRun(seen, now) };
      const isBegun = await updateIf(dynamo, table, operationId, { attempt, run, nextCheckAt }, next);
      return isBegun ? { ...seen, ...next } : undefined;
    },

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

/** Updates a verification that is, in each of the attributes given, as it was read; else false, and nothing is written. */
async function updateIf(
  dynamo: DynamoDBClient,
  table: string,
  operationId: string,
  seen: Partial<Verification>,
  attributes: Readonly<Record<string, string | number | undefined>>,
): Promise<boolean> {
  const { expression, names, values } = assignments(attributes);
  const conditions = Object.entries(seen);
  const update = new UpdateItemCommand({
    TableName: table,
    Key: verificationKey(operationId),
    UpdateExpression: expression,
    ConditionExpression: conditions.map(([name]) => `#${name} = :seen_${name}`).join(' AND '),
    ExpressionAttributeNames: { ...names, ...Object.fromEntries(conditions.map(([name]) => [`#${name}`, name])) },
    ExpressionAttributeValues: toItem({
      ...values,
      ...Object.fromEntries(conditions.map(([name, value]) => [`:seen_${name}`, value])),
    }),
  });
  return (await unlessConditionFails(updateItem(dynamo, update))) !== undefined;
}
