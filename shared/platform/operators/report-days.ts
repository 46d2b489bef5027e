import type * as z from 'zod/mini';
import { invalid } from '#shared/platform/http/api-error.ts';
import { addDays, dayIn, startOfDay } from '#shared/platform/time-zone.ts';
import type { reportLookup } from './lists.ts';

/** The most lines of a page: a second's work, and far below the size limit of an answer. */
export const MOST_LINES = 500;

type Query = z.infer<ReturnType<typeof reportLookup>['query']>;

/** The days of a report, the time range of this page, and a function that gives the day of a time. */
export function reportDays({ from, to, zone: given, client, cursor }: Query, now: Date, stageZone: string) {
  const zone = given ?? stageZone;
  const dayOf = dayIn(zone);
  const first = from ?? to ?? addDays(dayOf(now), -1);
  const last = to ?? first;
  if (last < first) {
    throw invalid({ path: 'query.to', code: 'INVALID_VALUE', message: 'must not be before from' });
  }
  const end = startOfDay(zone, addDays(last, 1));
  return {
    days: { from: first, to: last, zone },
    since: cursor ?? startOfDay(zone, first).toISOString(),
    upTo: new Date(end.getTime() - 1).toISOString(),
    dayOf: (at: string) => dayOf(new Date(at)),
    isAsked: ({ clientId }: { readonly clientId: string }) => client === undefined || clientId === client,
  };
}
