import { amountDifference } from '#shared/platform/amount.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { log } from '#shared/platform/logger.ts';
import { addDays, dayIn, startOfDay } from '#shared/platform/time-zone.ts';
import {
  type Amounts,
  addByAsset,
  type BookDay,
  type BookRun,
  closingAmounts,
  type DayUnderWay,
  type Difference,
  type FoundDifference,
  findExplanation,
  netAmounts,
  unequalAmounts,
  unexplainedAmounts,
} from './book.ts';
import type { Books } from './book-store.ts';
import {
  type ComparedPart,
  MOST_STORED_DIFFERENCES,
  withAdjustments,
  withDifferences,
  withPart,
} from './day-under-way.ts';

/** The source of a book: a provider's list, compared with our records. */
export interface Ledger {
  readonly name: string;
  /**
   * Compares the next part of a time range, from its beginning or from a position. Each movement is in exactly one
   * part. Reading a part again must give the same result: a part is lost when the function ends in it.
   */
  readonly read: (part: {
    readonly from: string;
    /** Exclusive. */
    readonly to: string;
    readonly position?: string | undefined;
  }) => Promise<ComparedPart>;
  /** Reads the provider's current balance of each asset; absent if the provider offers none. */
  readonly readBalances?: () => Promise<Amounts>;
  /** Opening balances of the first day, if the provider offers no balance. Without either, no day has balances. */
  readonly opensWith?: Amounts;
}

/** The dependencies of every book. */
export interface Bookkeeping {
  readonly books: Books;
  readonly clock: Clock;
  /** Time zone of the days. */
  readonly timeZone: string;
}

/** Milliseconds. */
const HOUR = 3600_000;
const DAY = 24 * HOUR;

/** Days before today that are read again each night. */
export const REPEATED_DAYS = 15;

/** Milliseconds after the end of a day at which it is closed: a later change is a difference. */
const CLOSES_AFTER = 48 * HOUR;

/** Milliseconds after midnight at which a run starts: providers list the last payments late. */
const RUNS_AFTER = HOUR;

/** The most tries to compare a balance that changes meanwhile. */
const MOST_COMPARISONS = 3;

/**
 * Keeps one book: each night it reads the last 15 days and the current one again, oldest first, so that each day opens
 * with the closing balance of the day before (decisions.md 9, Books). It continues where the last call ended.
 *
 * @returns the number of days that it finished
 */
export function keepBook({ books, clock, timeZone }: Bookkeeping) {
  const dayOf = dayIn(timeZone);
  const now = () => clock.now().getTime();
  const isoAt = (time: number) => new Date(time).toISOString();

  function nextNight(): string {
    const tonight = startOfDay(timeZone, dayOf(clock.now())).getTime() + RUNS_AFTER;
    const next = startOfDay(timeZone, addDays(dayOf(clock.now()), 1)).getTime() + RUNS_AFTER;
    return isoAt(now() < tonight ? tonight : next);
  }

  async function begin(name: string, day: string, lastDay: string): Promise<DayUnderWay> {
    const [before, own] = [await books.findDay(name, addDays(day, -1)), await books.findDay(name, day)];
    const end = startOfDay(timeZone, addDays(day, 1)).getTime();
    return {
      book: name,
      day,
      lastDay,
      // The day before ends at another time if the zone was changed, or if nothing was read for weeks.
      from: before?.to ?? own?.from ?? startOfDay(timeZone, day).toISOString(),
      // A closed day is what it was closed as, in whichever zone.
      to: own?.closedAs ? own.to : isoAt(Math.min(end, now())),
      openings: (before && closingAmounts(before)) ?? own?.openings,
      sums: {},
      differences: [],
      differenceCount: 0,
    };
  }

  async function readToEnd(ledger: Ledger, page: DayUnderWay): Promise<DayUnderWay> {
    let read = page;
    do {
      read = withPart(read, await ledger.read(read), []);
    } while (read.position !== undefined);
    return read;
  }

  const readSince = (ledger: Ledger, page: DayUnderWay, from: string) =>
    readToEnd(ledger, { ...page, ...{ from, to: isoAt(now()), position: undefined, sums: {} } });

  /**
   * The provider's balances minus all movements that it lists since the day began. If the balances keep changing, or
   * the provider offers none, `opensWith`.
   */
  async function findOpenings(ledger: Ledger, page: DayUnderWay): Promise<Amounts | undefined> {
    for (let tries = 0; ledger.readBalances !== undefined && tries < MOST_COMPARISONS; tries += 1) {
      const before = await ledger.readBalances();
      const { sums } = await readSince(ledger, page, page.from);
      const balances = await ledger.readBalances();
      if (unequalAmounts(before, balances).length > 0) continue;
      const beyond = unequalAmounts(balances, netAmounts(sums)).map(({ asset, one, other }) => [
        asset,
        amountDifference(one, other),
      ]);
      return Object.fromEntries(beyond);
    }
    return ledger.opensWith;
  }

  /**
   * The balances that the book does not explain. Movements that start after the list was read are covered by the next
   * try.
   */
  async function compareBalances(
    readBalances: NonNullable<Ledger['readBalances']>,
    ledger: Ledger,
    page: DayUnderWay,
  ): Promise<readonly FoundDifference[]> {
    const daysBefore = Array.from({ length: REPEATED_DAYS }, (_, before) => addDays(page.day, -1 - before));
    const earlier = await Promise.all(daysBefore.map((day) => books.findDay(page.book, day)));
    let differing: ReturnType<typeof unexplainedAmounts> = [];
    for (let tries = 0; tries < MOST_COMPARISONS; tries += 1) {
      const { sums } = await readSince(ledger, page, page.to);
      const booked = addByAsset(closingAmounts(page) ?? {}, netAmounts(sums));
      differing = unexplainedAmounts(await readBalances(), booked, [page, { sums }, ...earlier]);
      if (differing.length === 0) break;
    }
    return differing.map(({ asset, one, other }) => ({
      kind: 'BALANCE_DIFFERS',
      id: asset,
      what: `The provider has ${one}, and by all final movements it is ${other}.`,
    }));
  }

  /**
   * The last day, with its opening balances if it is the first day of the book, and its differences from the provider's
   * balance.
   */
  async function balanced(ledger: Ledger, page: DayUnderWay) {
    const { readBalances } = ledger;
    if (page.openings === undefined) {
      const openings = await findOpenings(ledger, page);
      return {
        page: { ...page, openings },
        unbalanced: openings === undefined && readBalances ? [notOpened(ledger)] : [],
      };
    }
    return { page, unbalanced: readBalances === undefined ? [] : await compareBalances(readBalances, ledger, page) };
  }

  /** Saves a day that was read to its end. @returns the differences from the balance as of the end of the run */
  async function finish(
    ledger: Ledger,
    listed: DayUnderWay,
    earlier: readonly Difference[],
  ): Promise<readonly Difference[]> {
    const seen = await books.findDay(listed.book, listed.day);
    const explained = await books.findExplanations(listed.book, listed.day);
    const read = withAdjustments(listed, explained);
    const net = netAmounts(read.sums);
    const isClosed = now() >= Date.parse(read.to) + CLOSES_AFTER;
    const changed = unequalAmounts(seen?.closedAs ?? net, net).map(
      ({ asset, one, other }): FoundDifference => ({
        kind: 'CHANGED_AFTER_CLOSING',
        id: asset,
        what: `${one} had moved when the day was closed, and ${other} by now.`,
      }),
    );
    const isLast = read.day === read.lastDay;
    const last = isLast ? await balanced(ledger, read) : { page: read, unbalanced: [] };
    const runAt = isoAt(now());
    const withSince = (one: FoundDifference, known: readonly Difference[]): Difference => ({
      ...one,
      since: sinceOf(known, one) ?? runAt,
    });
    // Each run compares the balance on another day, so the run before knows since when it differs.
    const unbalanced = last.unbalanced.slice(0, MOST_STORED_DIFFERENCES).map((one) => withSince(one, earlier));
    const { lastDay: _, position: __, ...page } = withDifferences(last.page, [...unbalanced, ...changed], explained);
    const closedAs = seen?.closedAs ?? (isClosed ? net : undefined);
    const known = [...unbalanced, ...(seen?.differences ?? [])];
    const differences = page.differences.map((one) => withSince(one, known));
    await books.saveDay({ ...page, runAt, differences, ...(closedAs && { closedAs }) });
    report(
      page,
      differences.filter((one) => findExplanation(one, explained) === undefined),
    );
    return isLast ? unbalanced : earlier;
  }

  /** Logs an error if a difference is older than a day. @param differences those that nobody has explained */
  function report(
    { book, day, differenceCount }: Pick<BookDay, 'book' | 'day' | 'differenceCount'>,
    differences: readonly Difference[],
  ) {
    const old = differences.filter(({ since }) => Date.parse(since) + DAY <= now());
    const [first] = old;
    if (first === undefined) return;
    const { kind, id } = first;
    log.error('BOOKS_DO_NOT_BALANCE', { book, day, differences: differenceCount, older: old.length, kind, id });
  }

  /**
   * The run that is under way, or due now. A run that lasts until the next night reads its current day again, because a
   * provider's cursor expires.
   */
  async function dueRun(name: string): Promise<BookRun | undefined> {
    const today = dayOf(clock.now());
    const none: BookRun = { name, begunOn: today, version: 0, nextRunAt: isoAt(0) };
    const run = (await books.findRun(name)) ?? none;
    if (Date.parse(run.nextRunAt) > now() && !isAskedFor(run)) return run;
    const { begunOn, lastRunOn = today, underWay } = run;
    if (underWay !== undefined) log.error('BOOKS_LATE', { book: name, day: underWay.day });
    // After nights without a run, it begins where the first of those would have begun: late movements may be there.
    const night = lastRunOn < today ? addDays(lastRunOn, 1) : today;
    const oldest = addDays(night, -REPEATED_DAYS);
    const first = underWay?.day ?? (begunOn > oldest ? begunOn : oldest);
    const begun = underWay === undefined ? { lastRunOn: today, answered: run.asked } : { lastRunOn };
    return books.saveRun({ ...run, ...begun, nextRunAt: nextNight(), underWay: await begin(name, first, today) });
  }

  return async (ledger: Ledger, until: number): Promise<number> => {
    let finished = 0;
    let run = await dueRun(ledger.name);
    while (run?.underWay !== undefined && now() < until) {
      const explained = await books.findExplanations(ledger.name, run.underWay.day);
      const read: DayUnderWay = withPart(run.underWay, await ledger.read(run.underWay), explained);
      if (read.position !== undefined) {
        run = await books.saveRun({ ...run, underWay: read });
        continue;
      }
      const unbalanced = await finish(ledger, read, run.unbalanced ?? []);
      finished += 1;
      const isLast = read.day >= read.lastDay;
      const underWay = isLast ? undefined : await begin(ledger.name, addDays(read.day, 1), read.lastDay);
      run = await books.saveRun({ ...run, unbalanced, underWay });
    }
    return finished;
  };
}

/** Without opening balances no balance is compared, and nobody would notice. */
function notOpened({ name }: Ledger): FoundDifference {
  const what = `The balance was another one after the list was read, in each of ${MOST_COMPARISONS} tries.`;
  return { kind: 'BOOK_NOT_OPENED', id: name, what };
}

/** True if a run is requested and none is under way. */
const isAskedFor = ({ underWay, asked = 0, answered = 0 }: BookRun) => underWay === undefined && asked > answered;

/** The time since which a difference is known. */
function sinceOf(known: readonly Difference[], { kind, id }: FoundDifference): string | undefined {
  return known.find((one) => one.kind === kind && one.id === id)?.since;
}
