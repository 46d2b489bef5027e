import type * as z from 'zod/mini';
import type { reportOfframps } from '#shared/operators/reports.ts';
import { invalid } from '#shared/platform/http/api-error.ts';

const DAY = 24 * 3600_000;

/** Lines of a page: a second's work, and far less than an answer may have. */
export const MOST_LINES = 500;

/** The days of a report, and the times between which this page is. */
export function reportDays({ from, to, cursor }: z.infer<(typeof reportOfframps)['query']>, now: Date) {
  const yesterday = new Date(now.getTime() - DAY).toISOString().slice(0, 10);
  const first = from ?? to ?? yesterday;
  const last = to ?? first;
  if (last < first) {
    throw invalid({ path: 'query.to', code: 'INVALID_VALUE', message: 'must be no day before that of from' });
  }
  return { days: { from: first, to: last }, since: cursor ?? `${first}T00:00:00.000Z`, upTo: `${last}T23:59:59.999Z` };
}
