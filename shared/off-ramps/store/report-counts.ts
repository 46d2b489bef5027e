import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { countUpTo } from '#shared/platform/dynamodb/conditional-write.ts';
import { describe, log } from '#shared/platform/logger.ts';
import { REPORTS_PREFIX } from './deposit-polls.ts';

/* Counts of reports of hashes, which limit the searches for them (decisions.md 4, A report that loses). */

/** Further reports of one operation that are searched for in a UTC day. */
const MOST_FURTHER = 10;

/** Refused reports of one client in an hour that raise the alarm. */
const TOO_MANY_REFUSED = 101;

/** Seconds. A count expires a day after its period. */
const DAY = 24 * 3600;

export const counted = z.object({ count: z.int() });

/** Counts in separate items: each is written only as often as one client reports, and no other writer waits for it. */
function createCount(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  /** The new count; `undefined`, and nothing is written, at the limit. */
  return async (of: string, most: number, now: Date): Promise<number | undefined> => {
    const { isCounted, item } = await countUpTo(dynamo, clock, most, {
      table,
      key: { custodianTransferId: `${REPORTS_PREFIX}${of}` },
      name: 'count',
      expiresAt: Math.ceil(now.getTime() / 1000) + 2 * DAY,
    });
    return isCounted ? counted.parse(item).count : undefined;
  };
}

/** Reports that begin no attempt: for ended operations, and of the hash that is being verified. */
export function createFurtherReports(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const count = createCount(dynamo, table, clock);
  return {
    /** Whether one more hash may be searched for today, of the operation, or of what else is counted. */
    mayHandOver: async (counted: string, now: Date): Promise<boolean> =>
      (await count(`${counted}#${now.toISOString().slice(0, 'yyyy-mm-dd'.length)}`, MOST_FURTHER, now)) !== undefined,
  };
}

export type FurtherReports = ReturnType<typeof createFurtherReports>;

/** Reports that are refused because another operation has declared the hash. */
export function createRefusedReports(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const count = createCount(dynamo, table, clock);
  return {
    /** Alerts operators once an hour about a client that may be probing. A failed count is ignored. */
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
