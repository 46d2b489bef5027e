import { expect, test } from 'vitest';
import type { Entry, FoundDifference } from '#shared/platform/books/book.ts';
import { createBooks } from '#shared/platform/books/book-store.ts';
import { MOST_STORED_DIFFERENCES } from '#shared/platform/books/day-under-way.ts';
import { keepBook } from '#shared/platform/books/keep-book.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';

const BOOK = 'deposits of one';

/** A book of a provider that lists what is put here, kept since this time. */
function world(since = '2026-08-01T09:00:00.000Z') {
  const lines = captureLogs();
  const clock = fakeClock(since);
  const books = createBooks(tablesInMemory().dynamo, 'books', clock);
  const provider = {
    moves: new Map<string, Entry>(),
    has: {} as Record<string, string>,
    finds: [] as FoundDifference[],
    onRead: (): unknown => undefined,
  };
  const came = (at: string, amount: string) => provider.moves.set(at, { asset: 'USDC', term: 'in', amount });
  const ledger = {
    name: BOOK,
    read: async ({ from, to }: { readonly from: string; readonly to: string }) => {
      await provider.onRead();
      const entries = [...provider.moves].flatMap(([at, one]) => (at >= from && at < to ? [one] : []));
      return { entries, differences: provider.finds };
    },
    readBalances: async () => provider.has,
  };
  const run = (timeZone = 'UTC') => keepBook({ books, clock, timeZone })(ledger, clock.now().getTime() + 3600_000);
  const runAt = async (at: string, timeZone?: string) => {
    clock.set(at);
    return run(timeZone);
  };
  const page = (day: string) => books.findDay(BOOK, day);
  return { ...{ lines, clock, books, provider, came, run, runAt, page } };
}

test.each(['America/Bogota', 'Asia/Tokyo'])(
  'decisions 9, books: days that were read before the stage has its days in %s are read as they were',
  async (zone) => {
    const { came, provider, runAt, run, page, lines } = world();
    for (const hour of ['01', '08', '16', '22']) came(`2026-08-01T${hour}:00:00.000Z`, '1');
    provider.has = { USDC: '2' };
    await run();
    provider.has = { USDC: '5' };
    came('2026-08-02T02:00:00.000Z', '1');
    await runAt('2026-08-03T12:00:00.000Z');
    await runAt('2026-08-04T12:00:00.000Z');
    await runAt('2026-08-05T12:00:00.000Z', zone);
    await runAt('2026-08-06T12:00:00.000Z', zone);
    expect(await page('2026-08-01')).toMatchObject({ sums: { USDC: { in: '4' } }, differences: [] });
    expect(await page('2026-08-06')).toMatchObject({ openings: { USDC: '5' }, differences: [] });
    expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
  },
);

test('decisions 9, books: a day is closed 48 hours after its end, and not a millisecond earlier', async () => {
  const { run, runAt, books, clock, page } = world();
  await run();
  await runAt('2026-08-03T23:59:59.999Z');
  expect(await page('2026-08-01')).not.toHaveProperty('closedAs');
  clock.set('2026-08-04T00:00:00.000Z');
  await books.runNow(BOOK);
  await run();
  expect(await page('2026-08-01')).toHaveProperty('closedAs');
});

test('decisions 9, books: of any number of assets that differ the first hundred are kept for the next run', async () => {
  const { provider, run, runAt, books } = world();
  await run();
  provider.has = Object.fromEntries(
    Array.from({ length: MOST_STORED_DIFFERENCES + 1 }, (_, at) => [`asset-${at}`, '1']),
  );
  await runAt('2026-08-02T01:00:00.000Z');
  expect((await books.findRun(BOOK))?.unbalanced).toHaveLength(MOST_STORED_DIFFERENCES);
});

test('decisions 9, books: a late run goes on with the day that was under way', async () => {
  const { provider, run, runAt, lines } = world();
  await run();
  let reads = 0;
  provider.onRead = () => {
    reads += 1;
    if (reads === 2) throw new Error('The provider is down.');
  };
  await expect(runAt('2026-08-03T01:00:00.000Z')).rejects.toThrow('down');
  expect(await runAt('2026-08-04T01:00:00.000Z')).toBe(3);
  expect(lines).toMatchObject([{ code: 'BOOKS_LATE', fields: { day: '2026-08-02' } }]);
});

test('decisions 9, books: a request with each part lets the run under way end, and one run follows', async () => {
  const { provider, run, runAt, books } = world();
  await run();
  provider.onRead = () => books.runNow(BOOK);
  expect(await runAt('2026-08-02T01:00:00.000Z')).toBe(2);
  provider.onRead = () => undefined;
  expect([await run(), await run()]).toEqual([2, 0]);
});

test('decisions 9, books: a run that lasts beyond midnight ends with the day on which it began', async () => {
  const { provider, run, runAt, clock, page } = world();
  await run();
  provider.onRead = () => void clock.advance(20 * 60);
  expect(await runAt('2026-08-02T23:50:00.000Z')).toBe(2);
  expect(await page('2026-08-03')).toBeUndefined();
});

test('decisions 9, books: a difference of another kind is new, although its record has one', async () => {
  const { provider, run, runAt, page } = world();
  const found = { kind: 'DEPOSIT_MISSING', id: 'x', what: 'It differs.' };
  provider.finds = [found];
  await run();
  provider.finds.push({ ...found, kind: 'DEPOSIT_DIFFERS' });
  await runAt('2026-08-02T01:00:00.000Z');
  expect((await page('2026-08-01'))?.differences.map(({ since }) => since)).toEqual([
    '2026-08-01T09:00:00.000Z',
    '2026-08-02T01:00:00.000Z',
  ]);
});

test('decisions 9, books: after nights without a run, the days that those would have read are read again', async () => {
  const { came, provider, runAt, page, lines } = world();
  provider.has = { USDC: '0' };
  await runAt('2026-08-01T10:00:00.000Z');
  await runAt('2026-08-20T10:00:00.000Z');
  came('2026-08-06T12:00:00.000Z', '5');
  provider.has = { USDC: '5' };
  await runAt('2026-09-10T10:00:00.000Z');
  expect(await page('2026-08-06')).toMatchObject({ differences: [{ kind: 'CHANGED_AFTER_CLOSING' }] });
  expect(await page('2026-09-10')).toMatchObject({ openings: { USDC: '5' }, differences: [] });
  expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
});

test('decisions 9, books: after a run that broke off and went on weeks later, the next one reads those days again, too', async () => {
  const { came, provider, runAt, page } = world();
  provider.has = { USDC: '0' };
  await runAt('2026-08-01T10:00:00.000Z');
  await runAt('2026-08-20T10:00:00.000Z');
  let reads = 0;
  provider.onRead = () => {
    reads += 1;
    if (reads === 5) throw new Error('The provider is down.');
  };
  await expect(runAt('2026-08-21T10:00:00.000Z')).rejects.toThrow('down');
  came('2026-08-07T12:00:00.000Z', '5');
  provider.has = { USDC: '5' };
  await runAt('2026-09-10T10:00:00.000Z');
  await runAt('2026-09-11T10:00:00.000Z');
  expect(await page('2026-08-07')).toMatchObject({ sums: { USDC: { in: '5' } } });
  expect(await page('2026-09-11')).toMatchObject({ openings: { USDC: '5' }, differences: [] });
});
