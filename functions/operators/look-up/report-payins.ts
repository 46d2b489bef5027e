import type { reportPayins as contract } from '#shared/operators/reports.ts';
import type { ListCompleted } from '#shared/pay-ins/completed-pay-ins.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { MOST_LINES, reportDays } from './report-days.ts';

export function reportPayins(listCompleted: ListCompleted, clock: Clock, timeZone: string): UseCase<typeof contract> {
  return async ({ query }) => {
    const { days, since, upTo, dayOf, isAsked } = reportDays(query(), clock.now(), timeZone);
    const { items, nextAt } = await listCompleted(since, upTo, MOST_LINES);
    const lines = items.filter(isAsked).map((one) => ({ ...one, day: dayOf(one.completedAt) }));
    return { body: { ...days, items: lines, ...(nextAt !== undefined && { nextCursor: nextAt }) } };
  };
}
