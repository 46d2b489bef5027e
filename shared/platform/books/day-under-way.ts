import {
  addEntries,
  type DayUnderWay,
  type Entry,
  type Explanation,
  explanationOf,
  type FoundDifference,
  type Sums,
} from './book.ts';

/** A part of what a provider lists of a day, compared with our records. */
export interface Part {
  readonly entries: readonly Entry[];
  readonly differences: readonly FoundDifference[];
  /** Where the next part begins; absent at the end. */
  readonly position?: string | undefined;
}

/** Differences of a day that are named, and as many that people have explained: those hide no other. */
export const MOST_NAMED = 100;

/** A day with what its next part has. */
export function withPart(
  page: DayUnderWay,
  { entries, differences, position }: Part,
  explained: readonly Explanation[],
): DayUnderWay {
  const sums: Sums = addEntries(page.sums, entries);
  return { ...withDifferences(page, differences, explained), sums, position };
}

/** What people have explained of a balance moves with the day on which they did. */
export function withAdjustments(page: DayUnderWay, explained: readonly Explanation[]): DayUnderWay {
  const entries = explained.flatMap(({ id, amount }) =>
    amount === undefined ? [] : [{ asset: id, term: 'adjusted', amount }],
  );
  return { ...page, sums: addEntries(page.sums, entries) };
}

/** What is of the whole account comes first: however many movements differ, it is named. */
export function withDifferences(
  page: DayUnderWay,
  found: readonly FoundDifference[],
  explained: readonly Explanation[],
): DayUnderWay {
  // One record may differ twice, as an unknown reference that two payments have: each is one to explain.
  const known = new Set(page.differences.map(textOf));
  const others = found.filter((one) => !known.has(textOf(one)));
  const all = [...page.differences, ...others].toSorted(
    (one, other) => Number(isOfAccount(other)) - Number(isOfAccount(one)),
  );
  const named = (areExplained: boolean) =>
    all.filter((one) => (explanationOf(one, explained) !== undefined) === areExplained).slice(0, MOST_NAMED);
  return {
    ...page,
    differences: [...named(false), ...named(true)],
    differenceCount: page.differenceCount + others.length,
  };
}

const textOf = ({ kind, id, what }: FoundDifference) => `${kind} ${id} ${what}`;

const isOfAccount = ({ kind }: FoundDifference) => kind === 'BALANCE_DIFFERS' || kind === 'BOOK_NOT_OPENED';
