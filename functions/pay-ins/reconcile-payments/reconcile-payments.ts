import { RailUnavailable } from '#shared/pay-ins/rails/payment-rail.ts';
import { createListPayments, type Rails } from '#shared/pay-ins/rails/rail-boundary.ts';
import { describe, log } from '#shared/platform/logger.ts';
import { sweep } from '#shared/platform/sweep.ts';
import { comparePage, type PageDependencies } from './compare-page.ts';
import type { ListPass, ListPasses, PagePosition } from './list-passes.ts';

interface Dependencies extends PageDependencies {
  readonly rails: Rails<'listPayments'>;
  readonly passes: ListPasses;
}

/** Leaves time to finish a page before the function times out. */
export const RUNS_FOR_SECONDS = 30;

/** Milliseconds. */
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
export const WEEK = 7 * DAY;

/** Milliseconds. A pay-in can be paid until 30 days after its creation, and its money may change for 30 days more. */
export const LISTED_FOR = 61 * DAY;

const PAUSE = 5 * MINUTE;

/** Milliseconds since the last completed pass began, after which an alarm is raised. */
const LATE = 2 * DAY;

/**
 * Reads each rail's list of payments to its end once a day, and makes a poll due for each pay-in about which the list
 * has news. So the usual sweep also settles payments that a rail did not notify. Each week of the list is read on its
 * own, all at the same time, so that its pages are the same the next day. The place in a list moves only past pages
 * that were compared, and the next call continues there. Returns the number of polls that it made due.
 */
export function reconcilePayments(deps: Dependencies) {
  return async (): Promise<number> => {
    const until = deps.clock.now().getTime() + RUNS_FOR_SECONDS * 1000;
    let due = 0;
    const read = async ({ rail, list }: RailList) => {
      due += await readList(deps, { rail, list, until });
    };
    const lists = [...deps.rails].map(([rail, asked]) => [{ rail, list: createListPayments(asked, deps.clock) }]);
    await sweep(lists, read, { clock: deps.clock, until, report: reportFailure });
    return due;
  };
}

function reportFailure({ rail }: RailList, error: unknown): void {
  log.error('PAYMENTS_NOT_RECONCILED', { rail, cause: describe(error) });
}

interface RailList {
  readonly rail: string;
  readonly list: ReturnType<typeof createListPayments>;
}

/** The state that the readers of a list's weeks share. */
interface Reading extends RailList {
  readonly pass: Pick<ListPass, 'startedAt' | 'doneFrom' | 'sequence'>;
  readonly until: number;
  readonly failures: unknown[];
  due: number;
}

/** @returns the number of polls that it made due */
async function readList(deps: Dependencies, given: RailList & Pick<Reading, 'until'>): Promise<number> {
  const { clock, passes } = deps;
  const { rail } = given;
  const begun = await passes.find(rail);
  if (begun !== undefined && Date.parse(begun.nextRunAt) > clock.now().getTime()) return 0;
  const { places, ...pass } = passOf(begun, clock.now());
  const reading: Reading = { ...given, pass, failures: [], due: 0 };
  const read = Object.entries(places).map(async ([week, place]) => {
    const next = await readWeek(deps, reading, Number(week), place);
    return next === undefined ? [] : [[week, next] as const];
  });
  const left = Object.fromEntries((await Promise.all(read)).flat());
  const next = after({ ...pass, places: left }, clock.now(), reading.failures);
  await passes.save(rail, next);
  report(reading, next, clock.now());
  return reading.due;
}

/** Reads a week until no time is left or a page of any week fails. @returns the next place; `undefined` at the end */
async function readWeek(
  deps: Dependencies,
  reading: Reading,
  week: number,
  begun: PagePosition,
): Promise<PagePosition | undefined> {
  const { rail, pass, until, list, failures } = reading;
  const createdSince = timeOf(week * WEEK);
  const end = Math.min(Date.parse(pass.startedAt), (week + 1) * WEEK - 1);
  let place: PagePosition | undefined = begun;
  while (place !== undefined && failures.length === 0 && deps.clock.now().getTime() <= until) {
    const { page: number, cursor }: PagePosition = place;
    try {
      const page = await list({ createdSince, until: timeOf(end), ...(cursor !== undefined && { cursor }) });
      const { payments } = page;
      const due = await comparePage(deps, { rail, week, number, payments, doneFrom: pass.doneFrom });
      reading.due += due;
      place = page.cursor === undefined ? undefined : { page: number + 1, cursor: page.cursor };
    } catch (error) {
      failures.push(error);
    }
  }
  return place;
}

/** The pass under way, or a new one. A cursor is valid for a day, so a new pass replaces one that is older. */
function passOf(begun: ListPass | undefined, now: Date) {
  const isOld = begun !== undefined && Date.parse(begun.startedAt) + DAY <= now.getTime();
  if (begun?.isUnderWay === true && begun.places !== undefined && !isOld) return { ...begun, places: begun.places };
  const startedAt = now.toISOString();
  const { doneFrom, sequence } = begun ?? { doneFrom: startedAt, sequence: 0 };
  const first = Math.floor((now.getTime() - LISTED_FOR) / WEEK);
  const weeks = Math.floor(now.getTime() / WEEK) - first + 1;
  const places = Object.fromEntries(
    Array.from({ length: weeks }, (_, week): [string, PagePosition] => [String(first + week), { page: 0 }]),
  );
  return { startedAt, doneFrom, sequence, places };
}

/** The same pass after the pages that were read. */
function after(pass: Omit<ListPass, 'isUnderWay' | 'nextRunAt'>, now: Date, failures: readonly unknown[]): ListPass {
  const { startedAt, doneFrom, sequence, places = {} } = pass;
  if (Object.keys(places).length === 0) {
    const nextRunAt = timeOf(Date.parse(startedAt) + DAY);
    return { startedAt, isUnderWay: false, nextRunAt, doneFrom: startedAt, sequence };
  }
  const nextRunAt = timeOf(now.getTime() + pauseAfter(failures));
  return { startedAt, places, isUnderWay: true, nextRunAt, doneFrom, sequence };
}

/** Milliseconds; 0 unless the rail failed. */
function pauseAfter(failures: readonly unknown[]): number {
  const silent = failures.filter((error) => error instanceof RailUnavailable);
  const pauses = silent.map(({ retryAfter = 0 }) => Math.min(Math.max(PAUSE, retryAfter * 1000), DAY));
  return Math.max(0, ...pauses);
}

/** @throws a failure that is not the rail's */
function report({ rail, failures }: Reading, { isUnderWay, doneFrom }: ListPass, now: Date): void {
  const other = failures.find((error) => !(error instanceof RailUnavailable));
  if (other !== undefined) throw other;
  const [error] = failures;
  if (error !== undefined) log.warn('PAYMENTS_NOT_LISTED', { rail, cause: describe(error) });
  // Also without a failure: a list that takes longer than a day starts again each day, and its end is never read.
  if (!isUnderWay || Date.parse(doneFrom) + LATE >= now.getTime()) return;
  const cause = error === undefined ? `It has not come to its end since ${doneFrom}.` : describe(error);
  log.error('PAYMENTS_NOT_RECONCILED', { rail, cause });
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
