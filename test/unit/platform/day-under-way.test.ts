import { expect, test } from 'vitest';
import { type DayUnderWay, type FoundDifference, findExplanation } from '#shared/platform/books/book.ts';
import { MOST_STORED_DIFFERENCES, withPart } from '#shared/platform/books/day-under-way.ts';

const DAY = '2026-08-01';
const page: DayUnderWay = {
  ...{ book: 'deposits of one', day: DAY, lastDay: DAY, from: `${DAY}T00:00:00.000Z`, to: '2026-08-02T00:00:00.000Z' },
  ...{ sums: {}, differences: [], differenceCount: 0 },
};

/** The page after parts of a provider's list, each with the differences that were found in it. */
const read = (...parts: readonly (readonly FoundDifference[])[]) =>
  parts.reduce((before, differences) => withPart(before, { entries: [], differences }, []), page);

const of = (id: string, kind = 'MONEY_WENT_OUT') => ({ kind, id, what: 'It differs.' });

test('decisions 9, books: what two parts of a list say of one record is one difference, and each other one is counted', () => {
  const { differences, differenceCount } = read(
    [of('one'), of('two')],
    [of('two'), of('one', 'NOT_KNOWN'), of('three')],
  );
  expect(differences).toEqual([of('one'), of('two'), of('one', 'NOT_KNOWN'), of('three')]);
  expect(differenceCount).toBe(4);
});

test('decisions 9, books: another part that says something else of the record is another difference', () => {
  const [one, other] = [of('one'), { ...of('one'), what: 'It differs otherwise.' }];
  expect(read([one], [other])).toMatchObject({ differences: [one, other], differenceCount: 2 });
});

test.each(['BALANCE_DIFFERS', 'BOOK_NOT_OPENED'])(
  'decisions 9, books: %s is named first, however many movements differ',
  (kind) => {
    const many = Array.from({ length: MOST_STORED_DIFFERENCES }, (_, at) => of(`out-${at}`));
    const { differences, differenceCount } = read(many, [of('USDC_ETH', kind)]);
    expect([differences.length, differences[0], differenceCount]).toEqual([
      ...[MOST_STORED_DIFFERENCES, of('USDC_ETH', kind), MOST_STORED_DIFFERENCES + 1],
    ]);
  },
);

test('decisions 9, books: what was booked of a balance explains no later difference, also if it says the same', () => {
  const [found, at] = [of('USDC_ETH', 'BALANCE_DIFFERS'), page.to];
  const made = {
    ...found,
    book: page.book,
    day: DAY,
    reason: 'A fee',
    explainedAt: at,
    explainedBy: 'a',
    confirmedBy: 'b',
  };
  expect(findExplanation(found, [{ ...made, amount: '-5' }])).toBeUndefined();
  expect(findExplanation(found, [made])).toEqual(made);
});
