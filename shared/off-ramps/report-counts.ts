import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { unlessConditionFails } from '#shared/platform/dynamodb/condition.ts';
import { updateItem } from '#shared/platform/dynamodb/update-item.ts';
import { describe, log } from '#shared/platform/logger.ts';
import { REPORTS_PREFIX } from './deposit-polls.ts';

/** Reports after the end of one operation that are handed over in a day in UTC. */
const MOST_LATE = 10;

/** Reports of one client that lose in an hour, and are one too many. */
const TOO_MANY_REFUSED = 101;

/** Seconds. A count is forgotten a day after it is of no account. */
const DAY = 24 * 3600;

const counted = z.object({ count: z.int() });

/**
 * Counts in items of their own, beside the searches that they bound: each is written as often as one client may report,
 * and no other writer waits for it.
 */
function createCount(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  /** How many it is then; `undefined`, and nothing is written, when there are as many already. */
  return async (of: string, most: number, now: Date): Promise<number | undefined> => {
    const update = new UpdateCommand({
      TableName: table,
      Key: { custodianTransferId: `${REPORTS_PREFIX}${of}` },
      UpdateExpression: 'SET #count = if_not_exists(#count, :none) + :one, expiresAt = :expiresAt',
      ConditionExpression: 'attribute_not_exists(#count) OR #count < :most',
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: {
        ...{ ':none': 0, ':one': 1, ':most': most },
        ':expiresAt': Math.ceil(now.getTime() / 1000) + 2 * DAY,
      },
      ReturnValues: 'UPDATED_NEW',
    });
    const written = await unlessConditionFails(updateItem(dynamo, clock, update));
    return written && counted.parse(written.Attributes).count;
  };
}

/** Reports of hashes for operations that have ended. */
export function createLateReports(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const count = createCount(dynamo, table, clock);
  return {
    /** Whether one more of the operation may have its hash looked for today. */
    mayHandOver: async (operationId: string, now: Date): Promise<boolean> =>
      (await count(`${operationId}#${now.toISOString().slice(0, 'yyyy-mm-dd'.length)}`, MOST_LATE, now)) !== undefined,
  };
}

export type LateReports = ReturnType<typeof createLateReports>;

/** Reports that lose because another operation has declared the hash. */
export function createRefusedReports(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const count = createCount(dynamo, table, clock);
  return {
    /** Tells operators once in an hour of a client that may be probing whose hashes these are. A count that fails is none. */
    async count(clientId: string, now: Date): Promise<void> {
      try {
        const hour = now.toISOString().slice(0, 'yyyy-mm-ddThh'.length);
        const refused = await count(`${clientId}#${hour}`, TOO_MANY_REFUSED, now);
        if (refused === TOO_MANY_REFUSED) log.warn('MANY_REPORTS_REFUSED', { clientId });
      } catch (error) {
        log.warn('REPORT_NOT_COUNTED', { clientId, cause: describe(error) });
      }
    },
  };
}

export type RefusedReports = ReturnType<typeof createRefusedReports>;
