import { moneyOf, type Payin } from '#shared/pay-ins/pay-in.ts';
import type { ListCompleted } from '#shared/pay-ins/pay-in-lists.ts';
import type { reportPayinsContract } from '#shared/pay-ins/pay-in-lookups.ts';
import { compareMoney } from '#shared/pay-ins/pay-in-outcome.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { unreadableIdsField } from '#shared/platform/operators/list-answer.ts';
import { MOST_LINES, reportDays } from '#shared/platform/operators/report-days.ts';

export function reportPayins(
  listCompleted: ListCompleted,
  clock: Clock,
  timeZone: string,
): UseCase<typeof reportPayinsContract> {
  return async ({ query }) => {
    const { days, since, upTo, dayOf, isAsked } = reportDays(query(), clock.now(), timeZone);
    const { items, unreadable, nextAt } = await listCompleted(since, upTo, MOST_LINES);
    const lines = items.filter(isAsked).map((one) => ({ ...one, ...settlementOf(one), day: dayOf(one.completedAt) }));
    const left = unreadableIdsField(unreadable.map(({ payinId }) => ({ payinId })));
    return { body: { ...days, items: lines, ...left, ...(nextAt !== undefined && { nextCursor: nextAt }) } };
  };
}

/** The current state at the rail of a completed pay-in; money in another currency does not count. */
function settlementOf(payin: Payin) {
  const there = moneyOf(payin);
  const difference = compareMoney(there, payin);
  const amountAtRail = difference === undefined ? '0' : there.amount;
  if (difference === 0) return { settlement: 'IN_FULL', amountAtRail } as const;
  if (difference !== undefined && difference > 0) return { settlement: 'TOO_MUCH', amountAtRail } as const;
  return { settlement: amountAtRail === '0' ? 'TAKEN_BACK' : 'TAKEN_BACK_IN_PART', amountAtRail } as const;
}
