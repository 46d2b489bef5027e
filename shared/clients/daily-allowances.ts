import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { itemInTheWay, unlessConditionFails } from '#shared/platform/dynamodb/condition.ts';
import { updateItem } from '#shared/platform/dynamodb/update-item.ts';

/** Milliseconds. */
const DAY = 24 * 3600 * 1000;

const allowance = z.object({
  used: z.int(),
  /** Percent of the limit that operators were told of. */
  told: z._default(z.int(), 0),
});

/** What has been used of a day's allowance. */
export type Allowance = z.infer<typeof allowance>;

/** Who or what has so many of something in a day in UTC. */
export interface Allowed {
  /** `OFF_RAMPS#{clientId}`: the day is added to it. */
  readonly of: string;
  readonly most: number;
}

/**
 * Counts what clients do in a day in UTC, each in an item of its own that nothing else writes, and that expires.
 *
 * What is counted comes before what it is counted for. A function that dies between the two has counted one too many:
 * its client loses one of a day's thousands, where the other order would let it have more than its limit.
 */
export function createDailyAllowances(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const keyOf = (of: string, now: Date) => ({ allowance: `${of}#${now.toISOString().slice(0, 'yyyy-mm-dd'.length)}` });

  return {
    /** Takes one more of today's. `isGranted` is false, and nothing is written, when all of it is used. */
    async take({ of, most }: Allowed): Promise<Allowance & { readonly isGranted: boolean }> {
      const now = clock.now();
      if (most < 1) return { isGranted: false, used: 0, told: 0 };
      const update = new UpdateCommand({
        TableName: table,
        Key: keyOf(of, now),
        UpdateExpression: 'SET #used = if_not_exists(#used, :none) + :one, expiresAt = :expiresAt',
        ConditionExpression: 'attribute_not_exists(#used) OR #used < :most',
        ExpressionAttributeNames: { '#used': 'used' },
        ExpressionAttributeValues: {
          ...{ ':none': 0, ':one': 1, ':most': most },
          ':expiresAt': Math.ceil((now.getTime() + 2 * DAY) / 1000),
        },
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      try {
        const { Attributes } = await updateItem(dynamo, clock, update);
        return { ...allowance.parse(Attributes), isGranted: true };
      } catch (error) {
        return { ...allowance.parse(itemInTheWay(error)), isGranted: false };
      }
    },

    /** Keeps that operators are told of so many percent: false when they were. */
    async keepTold(of: string, percent: number): Promise<boolean> {
      const update = new UpdateCommand({
        TableName: table,
        Key: keyOf(of, clock.now()),
        UpdateExpression: 'SET #told = :percent',
        ConditionExpression: 'attribute_exists(#used) AND (attribute_not_exists(#told) OR #told < :percent)',
        ExpressionAttributeNames: { '#used': 'used', '#told': 'told' },
        ExpressionAttributeValues: { ':percent': percent },
      });
      return (await unlessConditionFails(updateItem(dynamo, clock, update))) !== undefined;
    },
  };
}

export type DailyAllowances = ReturnType<typeof createDailyAllowances>;
