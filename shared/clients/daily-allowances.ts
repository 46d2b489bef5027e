import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { incrementUpTo, unlessConditionFails, updateItem } from '#shared/platform/dynamodb/conditional-write.ts';
import { describe, log } from '#shared/platform/logger.ts';

/** Milliseconds. */
const DAY = 24 * 3600 * 1000;

export const allowance = z.object({
  used: z.int(),
  /** The highest percentage of the limit at which operators were alerted. */
  told: z._default(z.int(), 0),
});

/** The used part of a day's allowance. */
export type Allowance = z.infer<typeof allowance>;

/** The subject of a limit per UTC day. */
export interface AllowanceLimit {
  /** The key without its day, such as `offRamps#{clientId}`. */
  readonly of: string;
  readonly most: number;
}

/**
 * Counts the clients' calls of a UTC day, each kind in its own item, which nothing else writes and which expires. The
 * count comes before the work: a function that dies in between costs its client one of a day's thousands of calls. In
 * the other order a client could exceed its limit.
 */
export function createDailyAllowances(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const keyOf = (of: string, now: Date) => ({ allowance: `${of}#${now.toISOString().slice(0, 'yyyy-mm-dd'.length)}` });

  return {
    /** Counts one more today. `isGranted` is false, and nothing is written, when the limit is reached. */
    async take({ of, most }: AllowanceLimit): Promise<Allowance & { readonly isGranted: boolean }> {
      const now = clock.now();
      if (most < 1) return { isGranted: false, used: 0, told: 0 };
      const { isCounted, item } = await incrementUpTo(dynamo, clock, most, {
        table,
        key: keyOf(of, now),
        name: 'used',
        expiresAt: Math.ceil((now.getTime() + 2 * DAY) / 1000),
      });
      return { ...allowance.parse(item), isGranted: isCounted };
    },

    /** Records that operators were alerted at this percentage; false when they already were. */
    async recordAlert(of: string, percent: number): Promise<boolean> {
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

const perDay = z.int().check(z.nonnegative());

/** The daily limits of every client of a stage. */
export const stageLimits = z.object({ offRamps: perDay, payIns: perDay, reports: perDay });

/** The limits that an operator has set for one client. */
export const dailyLimits = z.partial(stageLimits);

export type DailyLimits = z.infer<typeof dailyLimits>;

/** Calls that cost the service or its providers more than an answer, and are limited by the day (decisions.md 10). */
export type CostlyCall = keyof DailyLimits;

interface Dependencies {
  readonly call: CostlyCall;
  /** The stage's limit. */
  readonly mostPerDay: number;
  readonly findClient: (clientId: string) => Promise<{ readonly dailyLimits?: DailyLimits | undefined } | undefined>;
  readonly allowances: DailyAllowances;
}

/** Counts a call of the client before it writes anything: false when today's limit is reached. */
export type CountCall = (clientId: string) => Promise<boolean>;

/** Percentages of a limit at which operators are alerted, once a day each, highest first. */
const ALERTED_AT = [100, 80];

export function createCountCall({ call, mostPerDay, findClient, allowances }: Dependencies): CountCall {
  /** Alerts operators; a failure costs only the alert. */
  async function alertOperators(clientId: string, of: string, percent: number): Promise<void> {
    try {
      if (await allowances.recordAlert(of, percent)) log.warn('DAILY_LIMIT_USED', { clientId, limit: call, percent });
    } catch (error) {
      log.warn('DAILY_LIMIT_NOT_TOLD', { clientId, limit: call, percent, cause: describe(error) });
    }
  }

  return async (clientId) => {
    const most = (await findClient(clientId))?.dailyLimits?.[call] ?? mostPerDay;
    const of = `${call}#${clientId}`;
    const { isGranted, used, told } = await allowances.take({ of, most });
    const percent = ALERTED_AT.find((one) => used * 100 >= one * most);
    if (most > 0 && percent !== undefined && percent > told) await alertOperators(clientId, of, percent);
    return isGranted;
  };
}
