import * as z from 'zod/mini';
import { describe, log } from '#shared/platform/logger.ts';
import type { DailyAllowances } from './daily-allowances.ts';

const perDay = z.int().check(z.nonnegative());

/** How many of each every client of a stage has in a day. */
export const stageLimits = z.object({ offRamps: perDay, payIns: perDay, reports: perDay });

/** The same of a client for which an operator has said otherwise. */
export const dailyLimits = z.partial(stageLimits);

export type DailyLimits = z.infer<typeof dailyLimits>;

/** What costs the service, or those that it asks, more than its answer, and is limited by the day (decisions.md 10). */
export type CostlyCall = keyof DailyLimits;

interface Dependencies {
  readonly call: CostlyCall;
  /** The stage's. */
  readonly mostPerDay: number;
  readonly findClient: (clientId: string) => Promise<{ readonly dailyLimits?: DailyLimits | undefined } | undefined>;
  readonly allowances: DailyAllowances;
}

/** Counts a call of the client before it writes anything: false when it has used up what it has of them today. */
export type CountCall = (clientId: string) => Promise<boolean>;

/** Percents of a limit at which operators hear of the client, once a day of each, the highest first. */
const TOLD_AT = [100, 80];

export function createCountCall({ call, mostPerDay, findClient, allowances }: Dependencies): CountCall {
  /** A client that nobody is told of loses nothing by it. */
  async function tell(clientId: string, of: string, percent: number): Promise<void> {
    try {
      if (await allowances.keepTold(of, percent)) log.warn('DAILY_LIMIT_USED', { clientId, limit: call, percent });
    } catch (error) {
      log.warn('DAILY_LIMIT_NOT_TOLD', { clientId, limit: call, percent, cause: describe(error) });
    }
  }

  return async (clientId) => {
    const most = (await findClient(clientId))?.dailyLimits?.[call] ?? mostPerDay;
    const of = `${call}#${clientId}`;
    const { isGranted, used, told } = await allowances.take({ of, most });
    const percent = TOLD_AT.find((one) => used * 100 >= one * most);
    if (most > 0 && percent !== undefined && percent > told) await tell(clientId, of, percent);
    return isGranted;
  };
}
