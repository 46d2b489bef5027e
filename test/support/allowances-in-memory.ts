import {
  type CostlyCall,
  createCountCall,
  createDailyAllowances,
  type DailyLimits,
} from '#shared/clients/daily-allowances.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { tablesInMemory } from './tables-in-memory.ts';

/** Costly calls as they are counted, of clients that have so many a day, or others that are given while it goes on. */
export function allowancesInMemory(clock: Clock, call: CostlyCall, mostPerDay = 1000) {
  const { dynamo, table, writes } = tablesInMemory();
  const given: { dailyLimits?: DailyLimits } = {};
  const allowances = createDailyAllowances(dynamo, 'allowances', clock);
  return {
    given,
    writes,
    items: () => table('allowances').items(),
    countCall: createCountCall({ call, mostPerDay, findClient: async () => given, allowances }),
  };
}
