import type { ListCredited } from '#shared/off-ramps/credited-operations.ts';
import { endStatuses } from '#shared/off-ramps/off-ramp.ts';
import type { reportOfframps as contract } from '#shared/operators/reports.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { MOST_LINES, reportDays } from './report-days.ts';

export function reportOfframps(listCredited: ListCredited, clock: Clock, timeZone: string): UseCase<typeof contract> {
  return async ({ query }) => {
    const { days, since, upTo, dayOf, isAsked } = reportDays(query(), clock.now(), timeZone);
    const { items, nextAt } = await listCredited(since, upTo, MOST_LINES);
    const lines = items.filter(isAsked).map((one) => ({ ...lineOf(one), day: dayOf(one.creditedAt) }));
    return { body: { ...days, items: lines, ...(nextAt !== undefined && { nextCursor: nextAt }) } };
  };
}

function lineOf(operation: Awaited<ReturnType<ListCredited>>['items'][number]) {
  const { verifiedTxHash: txHash, verifiedTransferId: custodianTransferId, statusHistory } = operation;
  const end = statusHistory.find(({ status }) => endStatuses.some((one) => one === status));
  return { ...operation, txHash, custodianTransferId, ...(end && { endedAt: end.at }) };
}
