import {
  type CostlyCall,
  createCountCall,
  createDailyAllowances,
  type DailyLimits,
} from '#shared/clients/daily-allowances.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { tablesInMemory } from './tables-in-memory.ts';

/** Counts costly calls as the service does. A client has the stage's limit, or the one that a test puts in `given`. */
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
