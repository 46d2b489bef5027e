import { describe, expect, test } from 'vitest';
import {
  confirmDifferenceContract,
  explainDifferenceContract,
  readBooksContract,
} from '#shared/operators/book-contracts.ts';
import type { Entry, FoundDifference } from '#shared/platform/books/book.ts';
import { createBooks } from '#shared/platform/books/book-store.ts';
import { keepBook } from '#shared/platform/books/keep-book.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { OPERATOR, operatorsWorld, SECOND_OPERATOR } from '#test/support/operators-world.ts';

const BOOK = 'deposits of one';
const USDC = 'USDC_ETH';
const DAY = '2026-08-01';
const WENT_OUT = { kind: 'MONEY_WENT_OUT', id: 'one:out-1', what: '4 went out.' };

/** A book of a provider with the given balance, entries and differences, kept since 1 August. */
function world() {
  const lines = captureLogs();
  const made = operatorsWorld(`${DAY}T09:00:00.000Z`);
  const books = createBooks(made.dynamo, 'books', made.clock);
  const provider = {
    has: '0',
    others: {},
    moves: new Map<string, Entry>(),
    finds: new Map<string, readonly FoundDifference[]>(),
  };
  const keep = keepBook({ books, clock: made.clock, timeZone: 'UTC' });
  const ledger = {
    name: BOOK,
    read: async ({ from, to }: { readonly from: string; readonly to: string }) => ({
      entries: [...provider.moves].flatMap(([at, one]) => (at >= from && at < to ? [one] : [])),
      differences: provider.finds.get(from.slice(0, 10)) ?? [],
    }),
    readBalances: async () => ({ [USDC]: provider.has, ...provider.others }),
  };
  const run = () => keep(ledger, made.clock.now().getTime() + 1000);
  return {
    ...made,
    ...{ books, provider, run },
    night: async (day: string) => {
      made.clock.set(`${day}T01:00:00.000Z`);
      await run();
    },
    explain: (input: object, who = OPERATOR) =>
      made.change(explainDifferenceContract, { book: BOOK, ...input }, 'Moved to the new account, case 17', who),
    confirm: (proposalId: unknown, who = SECOND_OPERATOR) =>
      made.change(confirmDifferenceContract, { proposalId: String(proposalId) }, 'Seen on the chain', who),
    called: () =>
      lines.flatMap(({ code, fields }) =>
        code === 'BOOKS_DO_NOT_BALANCE' ? [`${fields['kind']} ${fields['day']}`] : [],
      ),
    seen: async (day?: string) => (await made.look(readBooksContract, day === undefined ? {} : { day })).body,
  };
}

/** Since 2 August the account has 5 less than the book. */
async function differing() {
  const made = world();
  made.provider.has = '100';
  await made.run();
  made.provider.has = '95';
  await made.night('2026-08-02');
  return made;
}

const balance = { kind: 'BALANCE_DIFFERS', id: USDC, amount: '-5' };
const onPage = { kind: WENT_OUT.kind, id: WENT_OUT.id, day: DAY };

async function wentOut() {
  const made = world();
  await made.run();
  made.provider.finds.set(DAY, [WENT_OUT]);
  await made.night('2026-08-02');
  return made;
}

describe('decisions 9, books: a difference that two persons have explained', () => {
  test('stays on its page with the reason, and calls nobody, until it says something else', async () => {
    const { explain, confirm, night, called, seen, provider } = await wentOut();
    const { body } = await explain(onPage);
    expect(body).toMatchObject({ ...WENT_OUT, book: BOOK, proposal: { confirmedWith: 'confirm-difference' } });
    expect((await seen(DAY)).differences[0].explained).toBeUndefined();
    expect((await confirm(body.proposal.proposalId)).status).toBe(200);
    const explained = {
      reason: 'Moved to the new account, case 17',
      explainedAt: '2026-08-02T01:00:00.000Z',
      ...{ explainedBy: OPERATOR, confirmedBy: SECOND_OPERATOR },
    };
    await night('2026-08-03');
    await night('2026-08-04');
    expect((await seen(DAY)).differences).toMatchObject([{ ...WENT_OUT, explained }]);
    expect(called()).toEqual([]);
    provider.finds.set(DAY, [{ ...WENT_OUT, what: '9 went out.' }]);
    await night('2026-08-05');
    expect(called()).toEqual([`MONEY_WENT_OUT ${DAY}`]);
    expect((await seen(DAY)).differences[0].explained).toBeUndefined();
  });

  test('is seen beside one that cannot be read', async () => {
    const { explain, confirm, seen, table } = await wentOut();
    table('books').put({ book: `EXPLAINED#${BOOK}`, entry: `${DAY}#0` });
    expect((await confirm((await explain(onPage)).body.proposal.proposalId)).status).toBe(200);
    expect((await seen(DAY)).differences).toMatchObject([{ explained: { confirmedBy: SECOND_OPERATOR } }]);
  });

  test('hides no other one of the same id, which is explained in its turn', async () => {
    const { explain, confirm, night, seen, provider } = await wentOut();
    provider.finds.set(DAY, [WENT_OUT, { ...WENT_OUT, what: '9 went out.' }]);
    await night('2026-08-03');
    for (const what of [WENT_OUT.what, '9 went out.']) {
      const { body } = await explain(onPage);
      expect([body.what, (await confirm(body.proposal.proposalId)).status]).toEqual([what, 200]);
    }
    expect((await seen(DAY)).differences).toMatchObject([{ explained: {} }, { explained: {} }]);
    expect((await explain(onPage)).body.detail).toContain('It was explained at');
  });

  test('hides no other one: of a hundred each is named, and so is what nobody has explained, and the balance', async () => {
    const { explain, confirm, night, called, seen, provider } = await wentOut();
    const many = Array.from({ length: 100 }, (_, at) => ({ ...WENT_OUT, id: `one:out-${at + 2}` }));
    provider.finds.set(DAY, [WENT_OUT, ...many]);
    await night('2026-08-03');
    const named = async () => (await seen(DAY)).differences.map(({ id }: { readonly id: string }) => id);
    expect([(await named()).length, (await named()).includes('one:out-101')]).toEqual([100, false]);
    await confirm((await explain(onPage)).body.proposal.proposalId);
    provider.finds.set('2026-08-04', many);
    await night('2026-08-04');
    expect([(await named()).length, (await named()).at(-1), (await named()).includes('one:out-101')]).toEqual([
      ...[101, 'one:out-1', true],
    ]);
    provider.has = '-5';
    provider.finds.set('2026-08-05', many);
    await night('2026-08-05');
    expect((await seen('2026-08-05')).differences[0]).toMatchObject({ kind: 'BALANCE_DIFFERS', id: USDC });
    expect(called()).not.toEqual([]);
  });

  test('of a balance is booked on the day, and compared again within the minute', async () => {
    const { explain, confirm, run, night, called, seen, clock } = await differing();
    expect((await seen()).differences).toMatchObject([{ kind: 'BALANCE_DIFFERS', id: USDC, book: BOOK }]);
    clock.set('2026-08-02T12:00:00.000Z');
    expect((await confirm((await explain(balance)).body.proposal.proposalId)).status).toBe(200);
    expect((await seen()).differences).toEqual([]);
    clock.advance(60);
    expect(await run()).toBe(2);
    expect((await seen('2026-08-02')).lines).toMatchObject([{ opening: '100', adjusted: '-5', closing: '95' }]);
    for (const day of ['03', '04', '05']) await night(`2026-08-${day}`);
    expect((await seen('2026-08-05')).lines).toMatchObject([{ opening: '95', closing: '95' }]);
    expect(called()).toEqual([]);
  });

  test('of a balance leaves what it does not explain', async () => {
    const { explain, confirm, night, seen } = await differing();
    await confirm((await explain({ ...balance, amount: '-3' })).body.proposal.proposalId);
    await night('2026-08-03');
    const what = 'The provider has 95, and by all final movements it is 97.';
    expect((await seen()).differences).toMatchObject([
      { kind: 'BALANCE_DIFFERS', what, since: '2026-08-03T01:00:00.000Z' },
    ]);
  });

  test('of a balance leaves those of all other assets', async () => {
    const { explain, confirm, night, seen, provider } = await differing();
    provider.others = { ETH: '1' };
    await night('2026-08-03');
    await confirm((await explain(balance)).body.proposal.proposalId);
    expect((await seen()).differences).toMatchObject([{ kind: 'BALANCE_DIFFERS', id: 'ETH' }]);
  });

  test('of a balance is booked once, by one of two proposals', async () => {
    const { explain, confirm, run, seen } = await differing();
    const ids = [await explain(balance), await explain(balance, SECOND_OPERATOR)].map(
      ({ body }) => body.proposal.proposalId,
    );
    const answers = await Promise.all([confirm(ids[0]), confirm(ids[1], OPERATOR)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
    await run();
    expect((await seen('2026-08-02')).lines).toMatchObject([{ adjusted: '-5' }]);
  });

  test('of a balance is in the run that is under way, which begins its last day again', async () => {
    const { explain, confirm, books, run, seen, clock } = await differing();
    const { body } = await explain(balance);
    const seenRun = await books.findRun(BOOK);
    const underWay = {
      ...{ book: BOOK, day: '2026-08-02', lastDay: '2026-08-02', from: '2026-08-02T00:00:00.000Z' },
      ...{ to: '2026-08-02T01:00:00.000Z', openings: { [USDC]: '100' }, sums: {}, differences: [], differenceCount: 0 },
    };
    if (seenRun !== undefined) await books.saveRun({ ...seenRun, underWay });
    clock.set('2026-08-03T00:30:00.000Z');
    expect((await confirm(body.proposal.proposalId)).status).toBe(200);
    // A second explanation would book the difference twice.
    expect((await explain(balance)).status).toBe(404);
    expect(await run()).toBe(1);
    expect((await seen('2026-08-02')).lines).toMatchObject([{ adjusted: '-5', closing: '95' }]);
    expect((await seen()).differences).toEqual([]);
  });

  test.each([
    ['an unknown book', { ...onPage, book: 'deposits of two' }, 404, `Existing books: ${BOOK}.`],
    ['another id', { ...onPage, id: 'one:out-2' }, 404, `on the page of ${DAY}`],
    ['another day', { ...onPage, day: '2026-07-31' }, 404, 'on the page of 2026-07-31'],
    ['a balance that agrees', balance, 404, 'in the balance now'],
    ['a book that is to be opened', { kind: 'BOOK_NOT_OPENED', id: BOOK }, 409, 'run-books'],
    ['no day', { ...onPage, day: undefined }, 422, 'body.arguments.day'],
    ['an amount of what is no balance', { ...onPage, amount: '1' }, 422, 'body.arguments.amount'],
    ['no amount of a balance', { ...balance, amount: undefined }, 422, 'body.arguments.amount'],
    ['a day of a balance', { ...balance, day: DAY }, 422, 'body.arguments.day'],
    ['0 of a balance', { ...balance, amount: '-0.00' }, 422, 'body.arguments.amount'],
  ])('is refused: %s', async (_, input, status, text) => {
    const { explain, table } = await wentOut();
    const answer = await explain(input);
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([status, expect.stringContaining(text)]);
    expect(table('proposals').items()).toEqual([]);
  });

  test('is refused twice, by its author alone, and once it says something else', async () => {
    const { explain, confirm, provider, books, run } = await wentOut();
    const { proposalId } = (await explain(onPage)).body.proposal;
    expect((await confirm(proposalId, OPERATOR)).body.detail).toContain('yourself');
    provider.finds.set(DAY, [{ ...WENT_OUT, what: '9 went out.' }]);
    await books.runNow(BOOK);
    await run();
    expect((await confirm(proposalId)).body.detail).toContain('has changed');
    const again = (await explain(onPage)).body.proposal.proposalId;
    expect((await confirm(again)).status).toBe(200);
    expect((await explain(onPage)).body.detail).toContain('It was explained at');
  });
});

test('decisions 9, books: what was on its way when the list of today was read may be final in the balance', async () => {
  const { provider, run, night, seen } = world();
  await run();
  provider.moves.set('2026-08-02T00:30:00.000Z', { asset: USDC, term: 'arriving', amount: '5' });
  provider.has = '5';
  await night('2026-08-02');
  expect((await seen()).differences).toEqual([]);
});

test('decisions 9, books: a day begins where the day before ended, also once the zone of the days was changed', async () => {
  const { books, clock, night } = world();
  await night(DAY);
  await night('2026-08-20');
  clock.set('2026-08-21T12:00:00.000Z');
  const read: string[] = [];
  const ledger = {
    name: BOOK,
    read: async ({ from }: { readonly from: string }) => {
      read.push(from);
      return { entries: [], differences: [] };
    },
  };
  await keepBook({ books, clock, timeZone: 'America/Bogota' })(ledger, clock.now().getTime() + 1000);
  // Closed days stay as they are.
  expect(read.slice(0, 2)).toEqual(['2026-08-06T00:00:00.000Z', '2026-08-07T00:00:00.000Z']);
  expect(read.slice(-2)).toEqual(['2026-08-20T05:00:00.000Z', '2026-08-21T05:00:00.000Z']);
});
