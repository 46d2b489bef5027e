import Big from 'big.js';
import * as z from 'zod/mini';
import { addAmounts } from '#shared/platform/amount.ts';
import { instant } from '#shared/platform/http/fields.ts';

/*
 * A book has a page for each day: the movements in a provider's list, and their state in our records (decisions.md 9,
 * Books).
 */

/** A difference between the provider and our records. */
const foundDifference = z.object({
  /** A code of the book's own, or of every book: CHANGED_AFTER_CLOSING, BALANCE_DIFFERS or BOOK_NOT_OPENED. */
  kind: z.string(),
  /** Id of the record to look at first: the provider's, ours, the asset or the book. */
  id: z.string(),
  /** A description without personal data. */
  what: z.string(),
});

export type FoundDifference = Readonly<z.infer<typeof foundDifference>>;

export const difference = z.extend(foundDifference, { since: instant });

export type Difference = Readonly<z.infer<typeof difference>>;

/** The explanation that two persons have given for a difference of a day. */
export const explanation = z.object({
  ...foundDifference.shape,
  book: z.string(),
  day: z.string(),
  /** For a balance: how much more the provider has than the book. It is booked as `adjusted`. */
  amount: z.optional(z.string()),
  reason: z.string(),
  explainedAt: instant,
  explainedBy: z.string(),
  confirmedBy: z.string(),
});

export type Explanation = Readonly<z.infer<typeof explanation>>;

/** The explanation of a difference, if it is unchanged since. A difference with another text is a new one. */
export function findExplanation({ kind, id, what }: FoundDifference, explained: readonly Explanation[]) {
  return explained.find((one) => one.amount === undefined && one.kind === kind && one.id === id && one.what === what);
}

/**
 * By asset, then by term. `in`, `out`, `fees` and `adjusted` are final movements; `arriving` and `leaving` are not
 * final, and are in no other term; the other terms divide the movements by their state in our records.
 */
const sums = z.record(z.string(), z.record(z.string(), z.string()));

export type Sums = Readonly<z.infer<typeof sums>>;

const amounts = z.record(z.string(), z.string());

export type Amounts = Readonly<z.infer<typeof amounts>>;

/** A day of a book. */
export const bookDay = z.object({
  /** Name of the book: its subject, and the provider. */
  book: z.string(),
  day: z.string(),
  from: instant,
  /** Exclusive; for the day that is not over, the time at which it was read. */
  to: instant,
  runAt: instant,
  /** The balance of each asset at the beginning of the day; absent if unknown. */
  openings: z.optional(amounts),
  sums,
  /** The first differences, up to a limit. */
  differences: z.array(difference),
  /** The number of all differences. */
  differenceCount: z.int(),
  /** The net movement of each asset when the day was closed. */
  closedAs: z.optional(amounts),
});

export type BookDay = Readonly<z.infer<typeof bookDay>>;

/** A day that is being read, with what was read so far. */
const dayUnderWay = z.extend(z.omit(bookDay, { runAt: true, differences: true, closedAs: true }), {
  lastDay: z.string(),
  /** Position in the provider's list at which reading continues. */
  position: z.optional(z.string()),
  differences: z.array(foundDifference),
});

export type DayUnderWay = Readonly<z.infer<typeof dayUnderWay>>;

/** The progress of a book. */
export const bookRun = z.object({
  name: z.string(),
  /** First day of the book. */
  begunOn: z.string(),
  /**
   * The day on which the last run began: the next one begins where the run of the night after it would have begun. A
   * run that breaks off may end weeks later, and what it had read by then may have changed.
   */
  lastRunOn: z.optional(z.string()),
  nextRunAt: instant,
  /**
   * Requests of a run so far. One that came after the last run began makes another one due at once, or after the run
   * that is under way, which may already have read the days that were corrected.
   */
  asked: z.optional(z.int()),
  /** Of these, the requests that came before the last run began. */
  answered: z.optional(z.int()),
  underWay: z.optional(dayUnderWay),
  /** Differences from the provider's balance at the end of the last run that compared it. */
  unbalanced: z.optional(z.readonly(z.array(difference))),
  version: z.int(),
});

export type BookRun = Readonly<z.infer<typeof bookRun>>;

/** An amount to add to the sums of a day. */
export interface Entry {
  readonly asset: string;
  readonly term: string;
  readonly amount: string;
}

/** The most assets of a day with a line of their own: strangers may send any number of assets. */
const MOST_ASSETS = 200;

/** The line of all further assets. Their units differ, so it counts entries instead of adding amounts. */
const FURTHER_ASSETS = 'further assets';

export function addEntries(before: Sums, entries: readonly Entry[]): Sums {
  const after = new Map(Object.entries(before).map(([asset, line]) => [asset, new Map(Object.entries(line))]));
  for (const { asset, term, amount } of entries) {
    const hasRoom = after.has(asset) || after.size < MOST_ASSETS;
    const [name, added] = hasRoom ? [asset, amount] : [FURTHER_ASSETS, '1'];
    const line = after.get(name) ?? new Map<string, string>();
    line.set(term, addAmounts(line.get(term) ?? '0', added));
    after.set(name, line);
  }
  return Object.fromEntries([...after].map(([asset, line]) => [asset, Object.fromEntries(line)]));
}

/** The net movement of each asset in a day. */
export function netAmounts(sums: Sums): Amounts {
  const net = ({ in: came = '0', out = '0', fees = '0', adjusted = '0' }: Readonly<Record<string, string>>) =>
    new Big(came).minus(out).minus(fees).plus(adjusted).toFixed();
  return Object.fromEntries(Object.entries(sums).map(([asset, line]) => [asset, net(line)]));
}

export function addByAsset(one: Amounts, other: Amounts): Amounts {
  const assets = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...assets].map((asset) => [asset, addAmounts(one[asset] ?? '0', other[asset] ?? '0')]));
}

export function closingAmounts({ openings, sums }: Pick<BookDay, 'openings' | 'sums'>): Amounts | undefined {
  return openings && addByAsset(openings, netAmounts(sums));
}

/** The assets whose amounts differ, with both amounts. */
export function unequalAmounts(one: Amounts, other: Amounts) {
  return Object.keys({ ...one, ...other })
    .map((asset) => ({ asset, one: one[asset] ?? '0', other: other[asset] ?? '0' }))
    .filter((both) => !new Big(both.one).eq(both.other));
}

/**
 * The assets of which the provider has another amount than the book, with both amounts. A difference within the amounts
 * that were on their way when the list was read is ignored: they may be final by now.
 */
export function unexplainedAmounts(
  has: Amounts,
  booked: Amounts,
  pages: readonly (Pick<BookDay, 'sums'> | undefined)[],
) {
  const onItsWay = (asset: string, term: 'arriving' | 'leaving') =>
    pages.reduce((sum, page) => sum.plus(page?.sums[asset]?.[term] ?? 0), new Big(0));
  return unequalAmounts(has, booked).filter(({ asset, one, other }) => {
    const more = new Big(one).minus(other);
    return more.gt(onItsWay(asset, 'arriving')) || more.lt(onItsWay(asset, 'leaving').neg());
  });
}
