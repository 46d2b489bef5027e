import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findCursorRecord, readPage } from '#shared/platform/http/page.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { OPERATION, STRANGER } from '#test/support/ids.ts';

/** A list of this many records, of which some are gone, and what a page of it reads. */
function listOf(size: number, isGone: (id: number) => boolean = () => false) {
  const reads: number[] = [];
  let isAskedFor = 0;
  const page = (limit: number, after: number | undefined, fits?: (id: number) => boolean) =>
    readPage<number>({
      limit,
      fits,
      ids: (async function* () {
        for (let id = (after ?? -1) + 1; id < size; id += 1) {
          isAskedFor += 1;
          yield String(id);
        }
      })(),
      getAll: async (ids) => {
        reads.push(ids.length);
        return ids.map(Number).map((id) => (isGone(id) ? undefined : id));
      },
    });
  return { page, reads, asked: () => isAskedFor };
}

describe('a page', () => {
  test('reads as many records as it has, at once', async () => {
    const { page, reads, asked } = listOf(10_000);
    expect(await page(20, undefined)).toEqual({ items: [...Array(20).keys()], examined: 19 });
    expect(reads).toEqual([20]);
    expect(asked()).toBe(40);
  });

  test.each([1000, 6000, 50_000])('of %i records of which none fits examines 300, in three reads', async (size) => {
    const { page, reads, asked } = listOf(size);
    expect(await page(20, undefined, () => false)).toEqual({ items: [], examined: 299 });
    expect(reads).toEqual([100, 100, 100]);
    expect(asked()).toBe(400);
  });

  test('that is full goes on from the record that filled it', async () => {
    const { page, reads } = listOf(1000);
    expect(await page(2, undefined, (id) => id % 40 === 0)).toEqual({ items: [0, 40], examined: 40 });
    expect(reads).toEqual([100]);
  });

  test.each([
    ['has as many as it may', 20, 20],
    ['is short', 20, 19],
    ['is empty', 20, 0],
  ])('that is the last and %s goes on nowhere', async (_, limit, size) => {
    expect(await listOf(size).page(limit, undefined)).toEqual({ items: [...Array(size).keys()] });
  });

  test('skips what is gone, and does not go on from there', async () => {
    const { page } = listOf(30, (id) => id % 10 > 0);
    expect(await page(10, undefined)).toEqual({ items: [0, 10, 20] });
    expect(await listOf(1000, (id) => id > 5).page(10, undefined)).toMatchObject({ examined: 5 });
  });

  test('and those after it have all that fits, once and in order, and each examines 300 at most', async () => {
    const list = fc.record({
      size: fc.nat(1500),
      limit: fc.integer({ min: 1, max: 100 }),
      every: fc.integer({ min: 1, max: 700 }),
      isFiltered: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(list, async ({ size, limit, every, isFiltered }) => {
        const { page, reads } = listOf(size);
        const fits = (id: number) => id % every === 0;
        const found: number[] = [];
        let after: number | undefined;
        do {
          reads.length = 0;
          const next = await page(limit, after, isFiltered ? fits : undefined);
          expect(next.items.length).toBeLessThanOrEqual(limit);
          expect(reads.reduce((sum, read) => sum + read, 0)).toBeLessThanOrEqual(300);
          expect(Math.max(0, ...reads)).toBeLessThanOrEqual(100);
          found.push(...next.items);
          after = next.examined;
        } while (after !== undefined);
        expect(found).toEqual([...Array(size).keys()].filter((id) => !isFiltered || fits(id)));
      }),
    );
  });
});

const record = { id: OPERATION, userId: 'of this list' };

/** Finds the one record, and throws like the table at an id that is no valid key. */
async function getAll(ids: readonly string[]) {
  const strange = ids.find((id) => !/^[0-9a-f-]{36}$/.test(id));
  if (strange !== undefined) throw new Error(`ValidationException: ${strange}`);
  return ids.map((id) => (id === OPERATION ? record : undefined));
}

const at = (cursor: string | undefined, userId = record.userId) =>
  findCursorRecord(cursor, getAll, (one) => one.userId === userId);

describe('a cursor', () => {
  test('that is not given begins with the newest', async () => {
    expect(await at(undefined)).toBeUndefined();
  });

  test('is the id of the last record that the page before has looked at, in either case', async () => {
    expect(await at(OPERATION)).toBe(record);
    expect(await at(OPERATION.toUpperCase())).toBe(record);
  });

  test.each([
    ['nothing', ''],
    ['no id', 'forged'],
    ['longer than any key', 'x'.repeat(60_000)],
    ['the id of nothing', STRANGER],
  ])('that is %s is refused', async (_, cursor) => {
    const error = await expectApiError(() => at(cursor));
    expect(error).toMatchObject({ status: 422, errors: [{ path: 'query.cursor', code: 'INVALID_CURSOR' }] });
  });

  test('of another list is refused', async () => {
    expect(await expectApiError(() => at(OPERATION, 'another'))).toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});
