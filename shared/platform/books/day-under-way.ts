import {
  addEntries,
  type DayUnderWay,
  type Entry,
  type Explanation,
  type FoundDifference,
  findExplanation,
  type Sums,
} from './book.ts';

/** A part of the provider's list of a day, compared with our records. */
export interface ComparedPart {
  readonly entries: readonly Entry[];
  readonly differences: readonly FoundDifference[];
  /** Where the next part begins; absent at the end. */
  readonly position?: string | undefined;
}

/** The most differences of a day that are stored, and as many explained ones: those displace no other. */
export const MOST_STORED_DIFFERENCES = 100;

/** Adds the next part of the list to a day. */
export function withPart(
  page: DayUnderWay,
  { entries, differences, position }: ComparedPart,
  explained: readonly Explanation[],
): DayUnderWay {
  const sums: Sums = addEntries(page.sums, entries);
  return { ...withDifferences(page, differences, explained), sums, position };
}

/** Adds the explained differences of balances that are booked on this day. */
export function withAdjustments(page: DayUnderWay, explained: readonly Explanation[]): DayUnderWay {
  const entries = explained.flatMap(({ id, amount }) =>
    amount === undefined ? [] : [{ asset: id, term: 'adjusted', amount }],
  );
  return { ...page, sums: addEntries(page.sums, entries) };
}

/**
 * Adds differences to a day. Those of the whole account come first, so that they are stored however many movements
 * differ.
 */
export function withDifferences(
  page: DayUnderWay,
  found: readonly FoundDifference[],
  explained: readonly Explanation[],
): DayUnderWay {
  // One record may have two differences, such as an unknown reference in two payments: each one needs its explanation.
  const known = new Set(page.differences.map(textOf));
  const others = found.filter((one) => !known.has(textOf(one)));
  const all = [...page.differences, ...others].toSorted(
    (one, other) => Number(isOfAccount(other)) - Number(isOfAccount(one)),
  );
  const named = (areExplained: boolean) =>
    all
      .filter((one) => (findExplanation(one, explained) !== undefined) === areExplained)
      .slice(0, MOST_STORED_DIFFERENCES);
  return {
    ...page,
    differences: [...named(false), ...named(true)],
    differenceCount: page.differenceCount + others.length,
  };
}

const textOf = ({ kind, id, what }: FoundDifference) => `${kind} ${id} ${what}`;

const isOfAccount = ({ kind }: FoundDifference) => kind === 'BALANCE_DIFFERS' || kind === 'BOOK_NOT_OPENED';
