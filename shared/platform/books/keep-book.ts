import { minus } from '#shared/platform/amount.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { log } from '#shared/platform/logger.ts';
import { dayAfter, dayIn, startOf } from '#shared/platform/time-zone.ts';
import {
  type Amounts,
  addByAsset,
  type BookDay,
  type BookRun,
  closingsOf,
  type DayUnderWay,
  type Difference,
  explanationOf,
  type FoundDifference,
  netOf,
  unequalAmounts,
  unexplainedAmounts,
} from './book.ts';
import type { Books } from './book-store.ts';
import { MOST_NAMED, type Part, withAdjustments, withDifferences, withPart } from './day-under-way.ts';

/** The source of a book: a provider's list, compared with our records. */
export interface Ledger {
  readonly name: string;
  /**
   * Compares the next part of a time, from its beginning or from a position. Each movement is in exactly one part. What
   * is asked for again says the same again: a part is lost when the function ends in it.
   */
  readonly read: (part: {
    readonly from: string;
    /** Not part of it. */
    readonly to: string;
    readonly position?: string | undefined;
  }) => Promise<Part>;
  /** What the provider has of each asset now, where it says so. */
  readonly readBalances?: () => Promise<Amounts>;
  /** What its first day opens with, where the provider says no balance. Without either, no day says what there is. */
  readonly opensWith?: Amounts;
}

/** What every book takes. */
export interface Bookkeeping {
  readonly books: Books;
  readonly clock: Clock;
  /** Of the days. */
  readonly timeZone: string;
}

/** Milliseconds. */
const HOUR = 3600_000;
const DAY = 24 * HOUR;

/** Days before today that are run again each night. */
export const RUN_AGAIN = 15;

/** Milliseconds after the end of a day, until which late movements still change it. */
const CLOSES_AFTER = 48 * HOUR;

/** Milliseconds after midnight: providers list the last payments late. */
const RUNS_AFTER = HOUR;

/** The most tries to compare a balance that changes meanwhile. */
const MOST_COMPARISONS = 3;

/**
 * Keeps one book: each night the last 15 days and what there is of today are read again, from the oldest one on, so that
 * each day opens with what the one before closed with (decisions.md 9, Books). It goes on where the last call ended.
 *
 * @returns how many days it finished
 */
export function keepBook({ books, clock, timeZone }: Bookkeeping) {
  const dayOf = dayIn(timeZone);
  const now = () => clock.now().getTime();
  const isoAt = (time: number) => new Date(time).toISOString();

  function nextNight(): string {
    const tonight = startOf(timeZone, dayOf(clock.now())).getTime() + RUNS_AFTER;
    const next = startOf(timeZone, dayAfter(dayOf(clock.now()), 1)).getTime() + RUNS_AFTER;
    return isoAt(now() < tonight ? tonight : next);
  }

  async function begin(name: string, day: string, lastDay: string): Promise<DayUnderWay> {
    const [before, own] = [await books.findDay(name, dayAfter(day, -1)), await books.findDay(name, day)];
    const end = startOf(timeZone, dayAfter(day, 1)).getTime();
    return {
      book: name,
      day,
      lastDay,
      // The day before ends elsewhere once the zone was changed, or while nothing was read for weeks.
      from: before?.to ?? startOf(timeZone, day).toISOString(),
      to: isoAt(Math.min(end, now())),
      openings: (before && closingsOf(before)) ?? own?.openings,
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

  /** What the provider has beyond all that it lists since the day began; `undefined` where the balance changes meanwhile. */
  async function findOpenings(ledger: Ledger, page: DayUnderWay): Promise<Amounts | undefined> {
    for (let tries = 0; ledger.readBalances !== undefined && tries < MOST_COMPARISONS; tries += 1) {
      const before = await ledger.readBalances();
      const { sums } = await readSince(ledger, page, page.from);
      const balances = await ledger.readBalances();
      if (unequalAmounts(before, balances).length > 0) continue;
      const beyond = unequalAmounts(balances, netOf(sums)).map(({ asset, one, other }) => [asset, minus(one, other)]);
      return Object.fromEntries(beyond);
    }
    return ledger.opensWith;
  }

  /** What the provider has and the book does not explain. What begins to move after the list was read is in the next try. */
  async function compareBalances(
    readBalances: NonNullable<Ledger['readBalances']>,
    ledger: Ledger,
    page: DayUnderWay,
  ): Promise<readonly FoundDifference[]> {
    const daysBefore = Array.from({ length: RUN_AGAIN }, (_, before) => dayAfter(page.day, -1 - before));
    const earlier = await Promise.all(daysBefore.map((day) => books.findDay(page.book, day)));
    let differing: ReturnType<typeof unexplainedAmounts> = [];
    for (let tries = 0; tries < MOST_COMPARISONS; tries += 1) {
      const { sums } = await readSince(ledger, page, page.to);
      const booked = addByAsset(closingsOf(page) ?? {}, netOf(sums));
      differing = unexplainedAmounts(await readBalances(), booked, [page, { sums }, ...earlier]);
      if (differing.length === 0) break;
    }
    return differing.map(({ asset, one, other }) => ({
      kind: 'BALANCE_DIFFERS',
      id: asset,
      what: `The provider has ${one}, and by all final movements it is ${other}.`,
    }));
  }

  /** The last day, which the book opens with if it is the first one, and what does not agree with the balance. */
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

  /** @returns what does not agree with the balance as of the end of the run */
  async function finish(
    ledger: Ledger,
    listed: DayUnderWay,
    earlier: readonly Difference[],
  ): Promise<readonly Difference[]> {
    const seen = await books.findDay(listed.book, listed.day);
    const explained = await books.findExplanations(listed.book, listed.day);
    const read = withAdjustments(listed, explained);
    const net = netOf(read.sums);
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
    // Each run compares it on another day: the run before knows since when it differs.
    const unbalanced = last.unbalanced.slice(0, MOST_NAMED).map((one) => withSince(one, earlier));
    const { lastDay: _, position: __, ...page } = withDifferences(last.page, [...unbalanced, ...changed], explained);
    const closedAs = seen?.closedAs ?? (isClosed ? net : undefined);
    const known = [...unbalanced, ...(seen?.differences ?? [])];
    const differences = page.differences.map((one) => withSince(one, known));
    await books.saveDay({ ...page, runAt, differences, ...(closedAs && { closedAs }) });
    report(
      page,
      differences.filter((one) => explanationOf(one, explained) === undefined),
    );
    return isLast ? unbalanced : earlier;
  }

  /** @param differences those that nobody has explained */
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

  /** The run that is under way, or that is due now. One that lasts until the next night reads its day again: a provider's cursor ends. */
  async function dueRun(name: string): Promise<BookRun | undefined> {
    const today = dayOf(clock.now());
    const seen = await books.findRun(name);
    const { begunOn, endedOn, version, nextRunAt, isAskedFor, underWay, unbalanced }: Omit<BookRun, 'name'> = seen ?? {
      ...{ begunOn: today, version: 0, nextRunAt: isoAt(0) },
    };
    const isNext = underWay === undefined && isAskedFor;
    if (Date.parse(nextRunAt) > now() && !isNext) return seen;
    if (underWay !== undefined) log.error('BOOKS_LATE', { book: name, day: underWay.day });
    const oldest = dayAfter(today, -RUN_AGAIN);
    const since = endedOn !== undefined && endedOn < oldest ? endedOn : oldest;
    const first = underWay?.day ?? (begunOn > since ? begunOn : since);
    const begun = {
      nextRunAt: nextNight(),
      isAskedFor: underWay && isAskedFor,
      underWay: await begin(name, first, today),
    };
    return books.saveRun({ name, begunOn, endedOn, version, unbalanced, ...begun });
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
      const underWay = isLast ? undefined : await begin(ledger.name, dayAfter(read.day, 1), read.lastDay);
      run = await books.saveRun({ ...run, unbalanced, underWay, ...(isLast && { endedOn: read.lastDay }) });
    }
    return finished;
  };
}

/** Without an opening no balance is compared, and nobody would miss it. */
function notOpened({ name }: Ledger): FoundDifference {
  const what = `The balance was another one after the list was read, in each of ${MOST_COMPARISONS} tries.`;
  return { kind: 'BOOK_NOT_OPENED', id: name, what };
}

/** Since when a difference is known. */
function sinceOf(known: readonly Difference[], { kind, id }: FoundDifference): string | undefined {
  return known.find((one) => one.kind === kind && one.id === id)?.since;
}
