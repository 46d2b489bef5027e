import type { Clock } from '#shared/platform/clock.ts';
import { log } from '#shared/platform/logger.ts';
import { dayAfter, dayIn, startOf } from '#shared/platform/time-zone.ts';
import {
  type Amounts,
  addAmounts,
  addEntries,
  type BookDay,
  type BookRun,
  closingsOf,
  type DayUnderWay,
  type Difference,
  type Entry,
  type FoundDifference,
  minus,
  netOf,
  type Sums,
  unequalAmounts,
} from './book.ts';
import type { Books } from './book-store.ts';

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

export interface Part {
  readonly entries: readonly Entry[];
  readonly differences: readonly FoundDifference[];
  /** Where the next part begins; absent at the end. */
  readonly position?: string | undefined;
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

/** Differences of a day that are named. */
const MOST_NAMED = 100;

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

  /** What the provider has now, and what there is by the book once its list was read to its end. */
  async function compareBalances(ledger: Ledger, page: DayUnderWay) {
    for (let tries = 0; ledger.readBalances !== undefined && tries < MOST_COMPARISONS; tries += 1) {
      const before = await ledger.readBalances();
      const tail: DayUnderWay = await readToEnd(ledger, {
        ...page,
        ...{ from: page.to, to: isoAt(now()), position: undefined, sums: {} },
      });
      const balances = await ledger.readBalances();
      if (unequalAmounts(before, balances).length > 0) continue;
      return { balances, net: addAmounts(netOf(page.sums), netOf(tail.sums)) };
    }
    return undefined;
  }

  async function readToEnd(ledger: Ledger, page: DayUnderWay): Promise<DayUnderWay> {
    let read = page;
    do {
      read = withPart(read, await ledger.read(read));
    } while (read.position !== undefined);
    return read;
  }

  /**
   * The last day, and what does not agree with the balance. The book opens with what the provider has beyond what moved
   * since. A balance that was not compared ends no earlier difference.
   */
  async function balanced(ledger: Ledger, page: DayUnderWay, earlier: readonly Difference[]) {
    const compared = await compareBalances(ledger, page);
    if (compared === undefined) {
      const opened: DayUnderWay = { ...page, openings: page.openings ?? ledger.opensWith };
      return { page: opened, unbalanced: ledger.readBalances === undefined ? [] : [...earlier, notCompared(ledger)] };
    }
    const { balances, net } = compared;
    if (page.openings === undefined) {
      const beyond = unequalAmounts(balances, net).map(({ asset, one, other }) => [asset, minus(one, other)] as const);
      return { page: { ...page, openings: Object.fromEntries(beyond) }, unbalanced: [] };
    }
    const differing = unequalAmounts(balances, addAmounts(page.openings, net));
    const unbalanced = differing.map(
      ({ asset, one, other }): FoundDifference => ({
        kind: 'BALANCE_DIFFERS',
        id: asset,
        what: `The provider has ${one}, and by all final movements it is ${other}.`,
      }),
    );
    return { page, unbalanced };
  }

  /** @returns what does not agree with the balance as of the end of the run */
  async function finish(
    ledger: Ledger,
    read: DayUnderWay,
    earlier: readonly Difference[],
  ): Promise<readonly Difference[]> {
    const seen = await books.findDay(read.book, read.day);
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
    const last = isLast ? await balanced(ledger, read, earlier) : { page: read, unbalanced: [] };
    const runAt = isoAt(now());
    const withSince = (one: FoundDifference, known: readonly Difference[]): Difference => ({
      ...one,
      since: sinceOf(known, one) ?? runAt,
    });
    // Each run compares it on another day: the run before knows since when it differs.
    const unbalanced = last.unbalanced.slice(0, MOST_NAMED).map((one) => withSince(one, earlier));
    const { lastDay: _, position: __, ...page } = withDifferences(last.page, [...unbalanced, ...changed]);
    const closedAs = seen?.closedAs ?? (isClosed ? net : undefined);
    const known = [...unbalanced, ...(seen?.differences ?? [])];
    const differences = page.differences.map((one) => withSince(one, known));
    await books.saveDay({ ...page, runAt, differences, ...(closedAs && { closedAs }) });
    report(page, differences);
    return isLast ? unbalanced : earlier;
  }

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
    const { begunOn, version, nextRunAt, underWay, unbalanced }: Omit<BookRun, 'name'> = seen ?? {
      ...{ begunOn: today, version: 0, nextRunAt: isoAt(0) },
    };
    if (Date.parse(nextRunAt) > now()) return seen;
    if (underWay !== undefined) log.error('BOOKS_LATE', { book: name, day: underWay.day });
    const oldest = dayAfter(today, -RUN_AGAIN);
    const first = underWay?.day ?? (begunOn > oldest ? begunOn : oldest);
    const begun = { nextRunAt: nextNight(), underWay: await begin(name, first, today) };
    return books.saveRun({ name, begunOn, version, unbalanced, ...begun });
  }

  return async (ledger: Ledger, until: number): Promise<number> => {
    let finished = 0;
    let run = await dueRun(ledger.name);
    while (run?.underWay !== undefined && now() < until) {
      const read: DayUnderWay = withPart(run.underWay, await ledger.read(run.underWay));
      if (read.position !== undefined) {
        run = await books.saveRun({ ...run, underWay: read });
        continue;
      }
      const unbalanced = await finish(ledger, read, run.unbalanced ?? []);
      finished += 1;
      const isLast = read.day >= read.lastDay;
      const underWay = isLast ? undefined : await begin(ledger.name, dayAfter(read.day, 1), read.lastDay);
      run = await books.saveRun({ ...run, unbalanced, underWay });
    }
    return finished;
  };
}

function withPart(page: DayUnderWay, { entries, differences, position }: Part): DayUnderWay {
  const sums: Sums = addEntries(page.sums, entries);
  return { ...withDifferences(page, differences), sums, position };
}

function withDifferences(page: DayUnderWay, found: readonly FoundDifference[]): DayUnderWay {
  const known = new Set(page.differences.map(({ kind, id }) => `${kind} ${id}`));
  const others = found.filter(({ kind, id }) => !known.has(`${kind} ${id}`));
  return {
    ...page,
    differences: [...page.differences, ...others].slice(0, MOST_NAMED),
    differenceCount: page.differenceCount + others.length,
  };
}

/** A control that is left out is a difference too: nobody would miss it. */
function notCompared({ name }: Ledger): FoundDifference {
  const what = `The balance was another one after the list was read, in each of ${MOST_COMPARISONS} tries.`;
  return { kind: 'BALANCE_NOT_COMPARED', id: name, what };
}

/** Since when a difference is known. */
function sinceOf(known: readonly Difference[], { kind, id }: FoundDifference): string | undefined {
  return known.find((one) => one.kind === kind && one.id === id)?.since;
}
