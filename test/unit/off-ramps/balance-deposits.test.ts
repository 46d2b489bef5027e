import Big from 'big.js';
import { describe, expect, test, vi } from 'vitest';
import { balanceDeposits, depositBookOf } from '#functions/off-ramps/balance-deposits/balance-deposits.ts';
import {
  type CustodianTransfer,
  CustodianUnavailable,
  type ListMovements,
} from '#shared/off-ramps/custodians/custodian.ts';
import type { OutgoingTransfer } from '#shared/off-ramps/custodians/outgoing.ts';
import { type Deposit, type DepositReturn, depositIdOf, transferAttributes } from '#shared/off-ramps/model/deposit.ts';
import { createFindReturnedDeposits, returnKey } from '#shared/off-ramps/store/claims.ts';
import { createFindDeposits, createListCreated } from '#shared/off-ramps/store/created-deposits.ts';
import { createDepositRepository } from '#shared/off-ramps/store/deposit-repository.ts';
import { createFindDepositOfSending } from '#shared/off-ramps/store/return-lists.ts';
import type { BookDay } from '#shared/platform/books/book.ts';
import { createBooks } from '#shared/platform/books/book-store.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { HASH, OTHER_HASH, onEveryNetwork, transfer } from '#test/support/off-ramp.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';

const USDC = 'ETHEREUM:USDC';
const ACCOUNT = '7';
const TREASURY = `0x${'7e'.repeat(20)}`;
const OUTSIDE = `0x${'05'.repeat(20)}`;
const NOON = '2026-08-01T12:00:00.000Z';

const sent = (differences: Partial<OutgoingTransfer> = {}): OutgoingTransfer => ({
  movementId: 'out-1',
  network: 'ETHEREUM',
  txHash: HASH,
  state: 'CONFIRMED',
  from: ACCOUNT,
  toAddress: OUTSIDE,
  assetId: USDC,
  amount: '1',
  createdAt: NOON,
  ...differences,
});

/** No item that can be read as a deposit. */
const UNREADABLE: Partial<Deposit> = { firstNotifiedAt: 'never' };

const returning = (differences: Partial<DepositReturn> = {}): DepositReturn => ({
  ...{ amount: '99', fee: '1.5', assetId: USDC, from: ACCOUNT, address: OUTSIDE },
  ...{ requestedAt: NOON, requestedBy: 'client 1', approversNeeded: 1, approvals: [] },
  ...(differences.returnedAt && { txHash: HASH }),
  ...differences,
});

/** A custodian with the test's movements, our tables, and the function that compares them. Books begin before noon. */
function world({ hasBalance = true } = {}) {
  const lines = captureLogs();
  const clock = fakeClock('2026-08-01T09:00:00.000Z');
  const { dynamo, table, beforeNextWrite } = tablesInMemory();
  const books = createBooks(dynamo, 'books', clock);
  const incoming: CustodianTransfer[] = [];
  const outgoing: OutgoingTransfer[] = [];
  const unreadable: object[] = [];
  const queued: string[] = [];
  const faults: (() => void)[] = [];
  const beforeBalance: (() => void)[] = [];
  let [pageSize, asked, extra, isRestless, moved] = [100, 0, '0', false, 0];
  const all = () =>
    [...incoming, ...outgoing, ...unreadable].toSorted((one, other) =>
      String(Object(one).createdAt).localeCompare(String(Object(other).createdAt)),
    );
  const listMovements: ListMovements = async ({ createdSince, until, cursor = '0' }) => {
    asked += 1;
    faults.shift()?.();
    const listed = all().filter((one) => Object(one).createdAt >= createdSince && Object(one).createdAt <= until);
    const start = Number(cursor);
    const page = listed.slice(start, start + pageSize);
    const isOut = (one: object) => 'movementId' in one;
    return Object({
      incoming: page.filter((one) => !isOut(one)),
      outgoing: page.filter(isOut),
      cursor: start + pageSize < listed.length ? String(start + pageSize) : undefined,
      answer: '',
    });
  };
  const final = <One extends { readonly state: string }>(of: readonly One[]) =>
    of.filter(({ state }) => state === 'CONFIRMED' || state === 'HELD');
  const custodian = {
    name: 'one',
    listMovements,
    readBalances: async () => {
      beforeBalance.shift()?.();
      if (isRestless) moved += 1;
      const came = final(incoming).reduce((sum, { amount }) => sum.plus(amount), new Big(extra).plus(moved));
      const left = final(outgoing).reduce(
        (sum, { amount, fee }) => sum.plus(amount).plus(fee?.amount ?? 0),
        new Big(0),
      );
      return [{ assetId: USDC, amount: came.minus(left).toFixed() }];
    },
  };
  const run = balanceDeposits({
    custodians: onEveryNetwork(hasBalance ? custodian : { name: custodian.name, listMovements }),
    books,
    listCreated: createListCreated(dynamo, 'deposits'),
    findDeposits: createFindDeposits(dynamo, 'deposits', clock),
    findReturnedDeposits: createFindReturnedDeposits(dynamo, 'hashes', clock),
    findDepositOfSending: createFindDepositOfSending(dynamo, 'deposits', createFindDeposits(dynamo, 'deposits', clock)),
    deposits: createDepositRepository(dynamo, 'deposits', clock),
    sendPoll: async ({ custodianTransferId }) => void queued.push(custodianTransferId),
    returns: { ETHEREUM: { from: ACCOUNT, treasury: [TREASURY], isByHand: false } },
    timeZone: 'UTC',
    clock,
  });
  /** Adds a transfer at the custodian, and the deposit that we have for it. */
  const receive = (given: Partial<CustodianTransfer>, ours?: Partial<Deposit>) => {
    const one = transfer({ createdAt: NOON, ...given });
    incoming.push(one);
    if (ours === undefined) return;
    const { network, txHash, createdAt: firstNotifiedAt } = one;
    const id = `one:${one.custodianTransferId}`;
    const times = { firstNotifiedAt, lastNotifiedAt: firstNotifiedAt };
    table('deposits').put({ custodianTransferId: id, network, txHash, ...times, ...transferAttributes(one), ...ours });
  };
  const returnedBy = (movementId: string, custodianTransferId: string) =>
    table('hashes').put({ ...returnKey(HASH, `one:${movementId}`), custodianTransferId });
  const page = async (day = '2026-08-01'): Promise<BookDay> => {
    const found = await books.findDay(depositBookOf('one'), day);
    if (found === undefined) throw new Error(`The book has no ${day}.`);
    return found;
  };
  return {
    ...{ lines, clock, table, books, incoming, outgoing, unreadable, queued, faults, beforeBalance, run },
    ...{ receive, returnedBy, page, beforeNextWrite },
    /** Runs in the night after the first of August, when the movements of that day are known. */
    async firstNight() {
      await run();
      clock.set('2026-08-02T01:00:00.000Z');
      await run();
      return page();
    },
    setPageSize: (size: number) => {
      pageSize = size;
    },
    /** Sets an amount that the custodian has and that no movement explains. */
    setExtra: (amount: string) => {
      extra = amount;
    },
    /** Makes the balance change at each read; switched off, it is what it was before. */
    setRestless: (is: boolean) => {
      [isRestless, moved] = [is, 0];
    },
    asked: () => asked,
  };
}

const credited = { creditedAt: NOON } as const;
const unmatched = { unmatched: 'UNMATCHED', unmatchedSince: NOON, firstUnmatchedAt: NOON } as const;
const settled = (outcome: 'KEPT' | 'RETURNED') => ({
  ...unmatched,
  settled: { outcome, by: 'a', at: NOON, reason: 'r' },
});
const settlement = { outcome: 'KEPT', by: 'a', at: NOON, reason: 'r' } as const;

describe('decisions 9, the equation: each final transfer stands in exactly one term', () => {
  test.each<[term: string, ours: Partial<Deposit>, theirs?: Partial<CustodianTransfer>]>([
    ['credited', credited],
    ['owed', { ...credited, owed: 'OWED', owedSince: NOON }],
    ['unmatched', unmatched],
    ['unmatched', unmatched, { state: 'HELD' }],
    ['held', {}, { state: 'HELD' }],
    ['held', { ...credited, unmatched: 'REVERSED' }, { state: 'HELD' }],
    ['dust', { ignoredReason: 'BELOW_MINIMUM' }, { state: 'HELD' }],
    ['returnRequested', { ...unmatched, return: returning() }, { state: 'HELD' }],
    ['kept', { firstUnmatchedAt: NOON, settled: settlement }],
    ['kept', { ...credited, owed: 'OWED', settled: settlement }],
    ['returned', settled('RETURNED')],
    ['returnRequested', { ...unmatched, return: returning() }],
    ['returnRequested', { ...credited, owed: 'OWED', return: returning({ sendingAt: NOON }) }],
    ['returned', { ...unmatched, return: returning({ returnedAt: NOON }) }],
    ['dust', { ignoredReason: 'BELOW_MINIMUM' }],
    ['unmatched', { ...unmatched, ignoredReason: 'TOO_MANY' }],
    ['leftOut', { ignoredReason: 'TOO_MANY' }],
    ['own', { ignoredReason: 'FROM_CUSTODIAN' }],
    ['notOurs', { ignoredReason: 'NOT_OURS' }],
  ])('%s %j', async (term, ours, theirs = {}) => {
    const { receive, firstNight, page, run } = world();
    await run();
    receive(theirs, ours);
    const { sums, differences } = await firstNight();
    expect(sums).toEqual({ [USDC]: { in: '100.5', [term]: '100.5' } });
    expect(differences).toEqual([]);
    // The custodian has the whole amount.
    expect((await page('2026-08-02')).differences).toEqual([]);
  });

  test('a transfer that is not final, or has failed, is in none', async () => {
    const { receive, firstNight } = world();
    receive({ custodianTransferId: 'a', state: 'UNCONFIRMED' }, {});
    receive({ custodianTransferId: 'b', state: 'FAILED' }, {});
    receive({ custodianTransferId: 'c', state: 'GONE' }, { ...credited, unmatched: 'REVERSED' });
    // Another record of the same movement is the deposit.
    receive({ custodianTransferId: 'd' }, { ignoredReason: 'RECORDED_TWICE' });
    receive({ custodianTransferId: 'e', state: 'HELD' }, { ignoredReason: 'RECORDED_TWICE' });
    expect(await firstNight()).toMatchObject({ sums: {}, differences: [] });
  });

  test('an outgoing movement is a net return, a sweep to an account that the stage names, or a fee', async () => {
    const { receive, outgoing, returnedBy, firstNight, run, clock, page, lines } = world();
    receive({ custodianTransferId: 'back' }, { ...unmatched, return: returning({ returnedAt: NOON }) });
    const txHash = HASH.toUpperCase().replace('0X', '0x');
    outgoing.push(sent({ amount: '99', txHash, fee: { assetId: 'ETH', amount: '0.01' } }));
    returnedBy('out-1', 'one:back');
    outgoing.push(sent({ movementId: 'out-2', toAddress: TREASURY.toUpperCase().replace('0X', '0x'), amount: '0.5' }));
    outgoing.push(sent({ movementId: 'out-3', state: 'FAILED', fee: { assetId: 'ETH', amount: '0.02' } }));
    outgoing.push(sent({ movementId: 'out-4', toAccount: ACCOUNT, amount: '0.25' }));
    outgoing.push(sent({ movementId: 'out-5', state: 'UNCONFIRMED', toAddress: TREASURY }));
    const { sums, differences } = await firstNight();
    expect(sums).toEqual({
      [USDC]: { in: '100.5', returned: '100.5', out: '99.75', returns: '99', sweeps: '0.75', leaving: '1' },
      ETH: { fees: '0.03' },
    });
    expect(differences).toEqual([]);
    // What the custodian has listed once is never missing.
    clock.set('2026-08-03T01:00:00.000Z');
    await run();
    expect((await page()).differences).toEqual([]);
    expect(lines.filter(({ code }) => code === 'MONEY_WENT_OUT')).toEqual([]);
  });

  test('a call of a contract that moves nothing costs its fee, and calls nobody', async () => {
    const { outgoing, firstNight, lines } = world();
    outgoing.push(sent({ amount: '0', fee: { assetId: 'ETH', amount: '0.01' } }));
    expect(await firstNight()).toMatchObject({ sums: { ETH: { fees: '0.01' } }, differences: [] });
    expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('a deposit at another custodian, one that no custodian has to list, and one on a network that is not served are no difference', async () => {
    const { receive, incoming, unreadable, table, firstNight } = world();
    receive({ custodianTransferId: 'a' }, { ignoredReason: 'FROM_CUSTODIAN' });
    receive({ custodianTransferId: 'b' }, { ignoredReason: 'NOT_OURS' });
    receive({ custodianTransferId: 'c', state: 'FAILED' }, { firstUnmatchedAt: NOON, settled: settlement });
    receive({ custodianTransferId: 'd' }, credited);
    incoming.splice(0);
    const [of] = table('deposits')
      .items()
      .filter(({ creditedAt }) => creditedAt !== undefined);
    table('deposits').restore([
      ...table('deposits')
        .items()
        .filter((one) => one['creditedAt'] === undefined),
      { ...of, custodianTransferId: 'two:d' },
    ]);
    unreadable.push({ ...transfer({ createdAt: NOON }), network: 'DOGECOIN' });
    expect((await firstNight()).differences).toEqual([]);
  });
});

describe('decisions 9, books: a difference of each kind is found, and named by id', () => {
  type Insert = (made: ReturnType<typeof world>) => void;

  test.each<[kind: string, id: string, insert: Insert]>([
    ['DEPOSIT_MISSING', 'one:x', ({ receive }) => receive({ custodianTransferId: 'x' })],
    ['DEPOSIT_NOT_DECIDED', 'one:x', ({ receive }) => receive({ custodianTransferId: 'x' }, {})],
    [
      'DEPOSIT_NOT_DECIDED',
      'one:x',
      ({ receive }) => receive({ custodianTransferId: 'x' }, { ...credited, unmatched: 'REVERSED' }),
    ],
    [
      'DEPOSIT_NOT_DECIDED',
      'one:x',
      ({ receive, incoming }) => {
        // Its release is still to be asked for.
        receive({ custodianTransferId: 'x', state: 'HELD' }, {});
        incoming.splice(0, 1, transfer({ custodianTransferId: 'x', createdAt: NOON }));
      },
    ],
    ['DEPOSIT_MISSING', 'one:x', ({ receive }) => receive({ custodianTransferId: 'x', state: 'HELD' })],
    [
      'DEPOSIT_DIFFERS',
      'one:x',
      ({ receive, incoming }) => {
        receive({ custodianTransferId: 'x' }, credited);
        incoming.push({ ...transfer({ custodianTransferId: 'x', createdAt: NOON }), amount: '100.6' });
        incoming.shift();
      },
    ],
    [
      'DEPOSIT_DIFFERS',
      'one:x',
      ({ receive }) => receive({ custodianTransferId: 'x' }, { ...unmatched, return: returning({ fee: '2' }) }),
    ],
    ...(['GONE', 'FAILED', 'HELD'] as const).map((state): [string, string, Insert] => [
      ...(['DEPOSIT_NOT_REVERSED', 'one:x'] as const),
      ({ receive }) => receive({ custodianTransferId: 'x', state }, credited),
    ]),
    [
      'DEPOSIT_NOT_REVERSED',
      'one:x',
      ({ receive }) => receive({ custodianTransferId: 'x', state: 'GONE' }, { ...credited, owed: 'OWED' }),
    ],
    [
      'DEPOSIT_DIFFERS',
      'one:x',
      ({ receive, incoming }) => {
        receive({ custodianTransferId: 'x' }, credited);
        incoming.splice(0, 1, transfer({ custodianTransferId: 'x', createdAt: NOON, assetId: 'ETHEREUM:USDT' }));
      },
    ],
    [
      'DEPOSIT_NOT_LISTED',
      'one:x',
      ({ receive, incoming }) => {
        receive({ custodianTransferId: 'x' }, credited);
        incoming.pop();
      },
    ],
    [
      'TRANSFER_UNREADABLE',
      'one:x',
      ({ unreadable }) => unreadable.push({ ...transfer({ custodianTransferId: 'x', createdAt: NOON }), amount: 7 }),
    ],
    [
      'TRANSFER_UNREADABLE',
      'one:x',
      ({ unreadable }) => unreadable.push({ ...sent({ movementId: 'x' }), amount: 'much' }),
    ],
    [
      'TRANSFER_UNREADABLE',
      'without id',
      ({ unreadable }) => unreadable.push({ ...transfer({ createdAt: NOON }), custodianTransferId: 7 }),
    ],
    ['DEPOSIT_UNREADABLE', 'one:x', ({ receive }) => receive({ custodianTransferId: 'x' }, UNREADABLE)],
    [
      'DEPOSIT_UNREADABLE',
      'one:out-1',
      ({ receive, returnedBy, outgoing }) => {
        receive({ custodianTransferId: 'x', state: 'GONE' }, UNREADABLE);
        returnedBy('out-1', 'one:x');
        outgoing.push(sent());
      },
    ],
    ['MONEY_WENT_OUT', 'one:out-1', ({ outgoing }) => outgoing.push(sent())],
    ['MONEY_WENT_OUT', 'one:out-1', ({ outgoing }) => outgoing.push(sent({ state: 'UNCONFIRMED', txHash: '' }))],
    [
      'RETURN_DIFFERS',
      'one:out-1',
      ({ receive, outgoing, returnedBy }) => {
        receive({ custodianTransferId: 'back' }, { ...unmatched, return: returning({ returnedAt: NOON }) });
        outgoing.push(sent({ amount: '99.1' }));
        returnedBy('out-1', 'one:back');
      },
    ],
    [
      'RETURN_DIFFERS',
      'one:out-1',
      ({ receive, outgoing, returnedBy }) => {
        receive({ custodianTransferId: 'back' }, { ...unmatched, return: returning({ returnedAt: NOON }) });
        outgoing.push(sent({ amount: '99', assetId: 'ETHEREUM:USDT' }));
        returnedBy('out-1', 'one:back');
      },
    ],
    [
      'RETURN_DIFFERS',
      'one:out-1',
      ({ receive, outgoing, returnedBy }) => {
        // A person who may order transfers ordered one under our id, to an address of their own.
        receive({ custodianTransferId: 'back' }, { ...unmatched, return: returning({ returnedAt: NOON }) });
        outgoing.push(sent({ amount: '99', toAddress: `0x${'06'.repeat(20)}` }));
        returnedBy('out-1', 'one:back');
      },
    ],
    [
      'MONEY_WENT_OUT',
      'one:out-2',
      ({ receive, outgoing, returnedBy }) => {
        receive({ custodianTransferId: 'back' }, { ...unmatched, return: returning({ returnedAt: NOON }) });
        // Sent twice: one movement returns one deposit.
        outgoing.push(sent({ amount: '99' }), sent({ amount: '99', movementId: 'out-2' }));
        returnedBy('out-1', 'one:back');
      },
    ],
    [
      'MONEY_WENT_OUT',
      'one:out-2',
      ({ receive, outgoing, returnedBy, table }) => {
        receive({ custodianTransferId: 'back' }, { ...unmatched, return: returning({ returnedAt: NOON }) });
        // Recorded first, undone by a reorganisation, and there again.
        outgoing.push(sent({ amount: '99' }), sent({ amount: '99', movementId: 'out-2', txHash: OTHER_HASH }));
        table('hashes').put({ ...returnKey(OTHER_HASH, 'one:out-2'), custodianTransferId: 'one:back' });
        returnedBy('out-1', 'one:back');
      },
    ],
    ['BALANCE_DIFFERS', USDC, ({ setExtra }) => setExtra('5')],
  ])('%s %s', async (kind, id, insert) => {
    const made = world();
    await made.run();
    insert(made);
    made.clock.set('2026-08-02T01:00:00.000Z');
    await made.run();
    const { differences } = await made.page(kind === 'BALANCE_DIFFERS' ? '2026-08-02' : '2026-08-01');
    expect(differences).toEqual([expect.objectContaining({ kind, id })]);
    const { sums } = await made.page();
    for (const { in: came = '0', out = '0', fees: _, arriving: __, leaving: ___, ...terms } of Object.values(sums)) {
      const total = Object.values(terms).reduce((sum, one) => sum.plus(one), new Big(0));
      expect(total.toFixed()).toBe(new Big(came).plus(out).toFixed());
    }
  });

  test('a recorded return that the custodian has not listed for a day', async () => {
    const { run, receive, clock, page } = world();
    await run();
    receive({ custodianTransferId: 'back' }, { ...unmatched, return: returning({ returnedAt: NOON }) });
    clock.set('2026-08-02T01:00:00.000Z');
    await run();
    expect((await page()).differences).toEqual([]);
    clock.set('2026-08-03T01:00:00.000Z');
    await run();
    expect((await page()).differences).toMatchObject([{ kind: 'RETURN_NOT_LISTED', id: 'one:back' }]);
  });

  test('a return under our id is named, and nobody is called, until it has left and had an hour to be recorded', async () => {
    const { run, outgoing, lines, clock, page } = world();
    const signed = sent({ externalId: 'deposit-2', movementId: 'out-2', createdAt: '2026-08-01T03:30:00.000Z' });
    outgoing.push(sent({ externalId: 'deposit-1', createdAt: '2026-08-01T08:30:00.000Z' }));
    outgoing.push({ ...signed, state: 'UNCONFIRMED', txHash: '' });
    const kinds = async () => (await page()).differences.map(({ kind }) => kind);
    await run();
    expect(await kinds()).toEqual(['RETURN_NOT_RECORDED', 'RETURN_NOT_RECORDED']);
    expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
    outgoing.splice(1, 1, signed);
    clock.set('2026-08-02T01:00:00.000Z');
    await run();
    expect(await kinds()).toEqual(['MONEY_WENT_OUT', 'MONEY_WENT_OUT']);
    clock.set('2026-08-03T01:00:00.000Z');
    await run();
    expect(lines.filter(({ code }) => code === 'MONEY_WENT_OUT')).toHaveLength(2);
  });
});

test.each(['FAILED', 'GONE'] as const)(
  'decisions 9, books: a sweep that is %s keeps its line without a term, so that no report adds it up',
  async (state) => {
    const { firstNight, run, outgoing, books, clock } = world();
    outgoing.push(sent({ state: 'UNCONFIRMED', toAddress: TREASURY }));
    await firstNight();
    const terms = async () => {
      const found = [];
      for await (const line of books.lines('OUT', NOON, NOON)) found.push(line['term']);
      return found;
    };
    expect(await terms()).toEqual(['sweeps']);
    outgoing.splice(0, 1, sent({ state, toAddress: TREASURY }));
    clock.set('2026-08-03T01:00:00.000Z');
    await run();
    expect(await terms()).toEqual([undefined]);
  },
);

describe('decisions 9, books: alarms and detection', () => {
  test('an unknown movement out calls somebody at once, also when the run dies once its line is written', async () => {
    const { run, firstNight, books, outgoing, lines } = world();
    outgoing.push(sent());
    const { saveLine } = books;
    vi.spyOn(books, 'saveLine').mockImplementationOnce(async (...line) => {
      await saveLine(...line);
      throw new Error('It is stopped.');
    });
    await expect(firstNight()).rejects.toThrow('It is stopped.');
    await run();
    expect(lines.map(({ code }) => code)).toContain('MONEY_WENT_OUT');
  });

  test('an unknown movement out calls somebody once, at once; a missing deposit is handed to detection', async () => {
    const { firstNight, run, books, outgoing, receive, queued, lines, clock } = world();
    outgoing.push(sent());
    receive({ custodianTransferId: 'x' });
    // It may still be found by the hourly list.
    receive({ custodianTransferId: 'y', createdAt: '2026-08-01T23:30:00.000Z' });
    await firstNight();
    const called = () => lines.filter(({ level }) => level === 'error');
    expect(called()).toMatchObject([
      { code: 'DEPOSIT_MISSING', fields: { custodianTransferId: 'one:x' } },
      { code: 'MONEY_WENT_OUT', fields: { movementId: 'one:out-1' } },
    ]);
    expect(queued).toEqual(['one:x', 'one:y']);
    clock.set('2026-08-02T02:00:00.000Z');
    await books.runNow(depositBookOf('one'));
    await run();
    expect(called()).toHaveLength(2);
  });

  test('a deposit that is notified while the book looks for it is not handed to detection again', async () => {
    const { firstNight, receive, table, beforeNextWrite, queued } = world();
    receive({ custodianTransferId: 'x' });
    const { network, txHash } = transfer();
    const times = { firstNotifiedAt: NOON, lastNotifiedAt: NOON };
    beforeNextWrite('deposits', () =>
      table('deposits').put({ custodianTransferId: 'one:x', network, txHash, ...times }),
    );
    await firstNight();
    expect(queued).toEqual([]);
  });

  test('any failure except an unavailable custodian fails the run, so that somebody is called', async () => {
    const { run, faults } = world();
    faults.push(() => {
      throw new TypeError('It is broken.');
    });
    await expect(run()).rejects.toThrow('It is broken.');
  });

  test('a difference is an alarm once it is a day old, and keeps the time at which it was found', async () => {
    const { firstNight, run, receive, clock, lines, page } = world();
    receive({ custodianTransferId: 'x' }, {});
    await firstNight();
    receive({ custodianTransferId: 'y' }, {});
    clock.set('2026-08-03T01:00:00.000Z');
    await run();
    expect((await page()).differences).toMatchObject([
      { id: 'one:x', since: '2026-08-02T01:00:00.000Z' },
      { id: 'one:y', since: '2026-08-03T01:00:00.000Z' },
    ]);
    expect(lines).toContainEqual({
      level: 'error',
      code: 'BOOKS_DO_NOT_BALANCE',
      fields: expect.objectContaining({ day: '2026-08-01', kind: 'DEPOSIT_NOT_DECIDED', id: 'one:x', older: 1 }),
    });
  });

  test('the first hundred differences of a day are named, and all are counted', async () => {
    const { firstNight, receive } = world();
    for (let number = 0; number < 101; number += 1) receive({ custodianTransferId: `${number}` }, {});
    const { differences, differenceCount } = await firstNight();
    expect([differences.length, differenceCount]).toEqual([100, 101]);
  });

  test('a balance that differs is found at the end of each run, and is an alarm once that began a day ago', async () => {
    const { firstNight, run, setExtra, clock, lines, page } = world();
    await firstNight();
    setExtra('5');
    clock.set('2026-08-03T01:00:00.000Z');
    await run();
    const codes = () => lines.filter(({ level }) => level === 'error').map(({ code }) => code);
    expect(codes()).toEqual([]);
    clock.set('2026-08-04T01:00:00.000Z');
    await run();
    // The run before: that day is over, and its page has the movements of the day.
    expect((await page('2026-08-03')).differences).toEqual([]);
    const found = { kind: 'BALANCE_DIFFERS', id: USDC, since: '2026-08-03T01:00:00.000Z' };
    expect((await page('2026-08-04')).differences).toMatchObject([found]);
    expect(codes()).toEqual(['BOOKS_DO_NOT_BALANCE']);
    setExtra('0');
    clock.set('2026-08-05T01:00:00.000Z');
    await run();
    expect((await page('2026-08-05')).differences).toEqual([]);
    expect(codes()).toHaveLength(1);
    setExtra('5');
    clock.set('2026-08-06T01:00:00.000Z');
    await run();
    expect(codes()).toHaveLength(1);
  });

  test.each<[extra: string, found: readonly object[]]>([
    ['100.5', []],
    ['-1', []],
    ['100.6', [{ kind: 'BALANCE_DIFFERS', id: USDC }]],
    ['-1.1', [{ kind: 'BALANCE_DIFFERS', id: USDC }]],
  ])(
    'a transfer that was on its way when it was listed may be final in the balance, and nothing else may: %s',
    async (extra, found) => {
      const { firstNight, run, receive, outgoing, setExtra, clock, page } = world();
      receive({ state: 'UNCONFIRMED' }, {});
      outgoing.push(sent({ state: 'UNCONFIRMED', toAddress: TREASURY, fee: { assetId: 'ETH', amount: '0.01' } }));
      await firstNight();
      expect((await page()).sums).toEqual({ [USDC]: { arriving: '100.5', leaving: '1' }, ETH: { leaving: '0.01' } });
      setExtra(extra);
      clock.set('2026-08-03T01:00:00.000Z');
      await run();
      expect((await page('2026-08-03')).differences).toMatchObject(found);
    },
  );

  test('a movement between the reads of the list and of the balance is in the next try', async () => {
    const { firstNight, run, receive, beforeBalance, clock, page } = world();
    await firstNight();
    clock.set('2026-08-03T01:00:00.000Z');
    beforeBalance.push(() => {
      receive({ createdAt: clock.now().toISOString() }, credited);
      clock.advance(1);
    });
    await run();
    expect((await page('2026-08-03')).differences).toEqual([]);
  });

  test('a book is not opened while the balance changes with each try, which is a difference', async () => {
    const { run, setExtra, setRestless, clock, page } = world();
    setRestless(true);
    await run();
    expect(await page()).toMatchObject({ differences: [{ kind: 'BOOK_NOT_OPENED' }] });
    expect(await page()).not.toHaveProperty('openings');
    setRestless(false);
    setExtra('5');
    clock.set('2026-08-02T01:00:00.000Z');
    await run();
    expect(await page('2026-08-02')).toMatchObject({ openings: { [USDC]: '5' }, differences: [] });
  });

  test('a book opens with the earlier balance, whatever becomes final while it is read', async () => {
    const { run, receive, incoming, faults, clock, page } = world();
    receive({ state: 'UNCONFIRMED', createdAt: '2026-08-01T08:00:00.000Z' }, credited);
    faults.push(
      () => {},
      () => incoming.splice(0, 1, transfer({ createdAt: '2026-08-01T08:00:00.000Z' })),
    );
    await run();
    expect((await page()).openings).toEqual({});
    clock.set('2026-08-02T01:00:00.000Z');
    await run();
    expect((await page('2026-08-02')).differences).toEqual([]);
  });

  test('a run that lasts until the next night is late, and reads its day again', async () => {
    const { run, faults, clock, lines, page, receive } = world();
    receive({}, credited);
    const refuse = () => {
      throw new CustodianUnavailable('429', { retryAfter: 60 });
    };
    faults.push(refuse);
    await run();
    clock.set('2026-08-02T01:00:00.000Z');
    await run();
    expect(lines.filter(({ level }) => level === 'error')).toMatchObject([{ code: 'BOOKS_LATE' }]);
    expect((await page()).sums).toMatchObject({ [USDC]: { in: '100.5' } });
  });
});

describe('decisions 9, books: days', () => {
  test('open with the custodian’s balance, and close with opening + in - out - fees, with which the next one opens', async () => {
    const { run, receive, outgoing, setExtra, clock, page, books } = world();
    setExtra('1000');
    expect(await run()).toBe(1);
    receive({ custodianTransferId: 'a' }, credited);
    clock.set('2026-08-02T01:00:00.000Z');
    expect(await run()).toBe(2);
    expect(await page()).toMatchObject({ openings: { [USDC]: '1000' } });
    receive({ custodianTransferId: 'b', createdAt: '2026-08-02T12:00:00.000Z' }, credited);
    outgoing.push(sent({ createdAt: '2026-08-02T13:00:00.000Z', toAddress: TREASURY, amount: '0.25' }));
    clock.set('2026-08-03T01:00:00.000Z');
    await run();
    expect(await page('2026-08-02')).toMatchObject({ openings: { [USDC]: '1100.5' } });
    const today = await page('2026-08-03');
    expect(today).toMatchObject({ openings: { [USDC]: '1200.75' }, differences: [] });
    // This run is before the nightly run, which still happens.
    clock.set('2026-08-04T00:30:00.000Z');
    await books.runNow(depositBookOf('one'));
    expect([await run(), await run()]).toEqual([4, 0]);
    clock.set('2026-08-04T01:00:00.000Z');
    expect(await run()).toBe(4);
    clock.set('2026-08-05T00:59:59.999Z');
    expect(await run()).toBe(0);
  });

  test.each([
    ['is under way', '2026-08-03T02:00:00.000Z', 3],
    ['lasts until the next night', '2026-08-04T01:00:00.000Z', 4],
  ])('are run again after a run that %s, which may have passed what was put right', async (_, ends, days) => {
    const { firstNight, run, books, faults, clock } = world();
    await firstNight();
    clock.set('2026-08-03T01:00:00.000Z');
    faults.push(() => clock.advance(60));
    await run();
    await books.runNow(depositBookOf('one'));
    clock.set(ends);
    expect([await run(), await run(), await run()]).toEqual([days, days, 0]);
  });

  test('open with what there was before the first one, however much has moved on it', async () => {
    const { run, receive, setExtra, page } = world();
    setExtra('5');
    for (let number = 0; number < 2001; number += 1) {
      const createdAt = new Date(Date.parse('2026-08-01T01:00:00.000Z') + number * 1000).toISOString();
      receive({ custodianTransferId: `${number}`, createdAt, amount: '1' }, credited);
    }
    await run();
    expect(await page()).toMatchObject({ openings: { [USDC]: '5' }, sums: { [USDC]: { in: '2001' } } });
  });

  test('of a custodian that gives no balance open with zero, and go on from there', async () => {
    const { run, receive, clock, page, firstNight } = world({ hasBalance: false });
    receive({ custodianTransferId: 'a' }, credited);
    await firstNight();
    expect(await page()).toMatchObject({ openings: {}, sums: { [USDC]: { in: '100.5' } }, differences: [] });
    clock.set('2026-08-03T01:00:00.000Z');
    await run();
    expect(await page('2026-08-02')).toMatchObject({ openings: { [USDC]: '100.5' }, differences: [] });
  });

  test('that were missed during a longer standstill are read, too', async () => {
    const { firstNight, run, receive, setExtra, clock, page } = world();
    setExtra('5');
    await firstNight();
    receive({ createdAt: '2026-08-05T12:00:00.000Z' }, credited);
    setExtra('1');
    clock.set('2026-08-31T01:00:00.000Z');
    await run();
    expect((await page('2026-08-05')).sums).toMatchObject({ [USDC]: { in: '100.5' } });
    const { openings, differences } = await page('2026-08-31');
    expect([openings, differences]).toMatchObject([{ [USDC]: '105.5' }, [{ kind: 'BALANCE_DIFFERS', id: USDC }]]);
  });

  test('are run again for 15 days: a transfer that became final late changes the day of its creation and all later days', async () => {
    const { firstNight, run, receive, incoming, clock, page, books, lines } = world();
    receive({ state: 'UNCONFIRMED' }, {});
    await firstNight();
    clock.set('2026-08-16T01:00:00.000Z');
    await run();
    expect((await page()).closedAs).toEqual({ [USDC]: '0' });
    incoming.splice(0);
    receive({}, credited);
    clock.set('2026-08-16T02:00:00.000Z');
    for (const _ of ['found', 'found again']) {
      await books.runNow(depositBookOf('one'));
      await run();
      expect((await page()).differences).toMatchObject([{ kind: 'CHANGED_AFTER_CLOSING', id: USDC }]);
    }
    expect(await page('2026-08-16')).toMatchObject({ openings: { [USDC]: '100.5' }, differences: [] });
    clock.set('2026-08-17T01:00:00.000Z');
    incoming.splice(0);
    await run();
    expect((await page()).sums).toMatchObject({ [USDC]: { in: '100.5' } });
    expect(lines.filter(({ code }) => code === 'BOOKS_LATE')).toEqual([]);
  });

  test.each<[atOnce: number, pages: number]>([
    // Parts of 4, 4 and 3 pages, of which the second is read again.
    [3, 16],
    [5001, 20],
  ])(
    'longer than a part are read in parts, each movement once, and go on after a failure in the middle: %i at the same time',
    async (atOnce, pages) => {
      const { run, receive, outgoing, setPageSize, faults, clock, page, asked } = world();
      await run();
      const before = asked();
      setPageSize(500);
      const at = (second: number) => new Date(Date.parse(NOON) + Math.floor(second / atOnce) * 1000).toISOString();
      for (let number = 0; number < 5001; number += 1) {
        const movement = { createdAt: at(number), amount: '1' };
        if (number % 2 === 1) receive({ custodianTransferId: `${number}`, ...movement }, credited);
        else outgoing.push(sent({ movementId: `${number}`, toAddress: TREASURY, ...movement }));
      }
      clock.set('2026-08-02T01:00:00.000Z');
      const refuse = () => {
        throw new CustodianUnavailable('429', { retryAfter: 60 });
      };
      faults.push(...Array.from({ length: 6 }, () => () => undefined), refuse);
      await run();
      await expect(page()).resolves.toMatchObject({ sums: {} });
      clock.advance(60);
      await run();
      const sums = { [USDC]: { in: '2500', credited: '2500', out: '2501', sweeps: '2501' } };
      expect(await page()).toMatchObject({ sums, differences: [] });
      expect(asked() - before).toBe(pages);
    },
  );

  test('on which strangers send any number on a network that is not served are read in parts, too', async () => {
    const { run, receive, unreadable, setPageSize, faults, clock, page } = world();
    await run();
    setPageSize(500);
    for (let second = 0; second < 12_000; second += 1) {
      const createdAt = new Date(Date.parse(NOON) + second * 1000).toISOString();
      unreadable.push({ ...transfer({ createdAt, custodianTransferId: `${second}` }), network: 'DOGECOIN' });
    }
    receive({ createdAt: '2026-08-01T18:00:00.000Z' }, credited);
    clock.set('2026-08-02T01:00:00.000Z');
    // The list is as slow as it may be, and the function has an end.
    const endsAt = { time: 0 };
    const slow = () => {
      clock.advance(3);
      if (clock.now().getTime() > endsAt.time) throw new Error('The function has timed out.');
    };
    for (let runs = 0; runs < 3; runs += 1) {
      endsAt.time = clock.now().getTime() + 55_000;
      faults.push(...Array.from({ length: 50 }, () => slow));
      await run();
      faults.splice(0);
    }
    expect(await page()).toMatchObject({ sums: { [USDC]: { in: '100.5' } }, differences: [] });
  });

  test('a return that was signed hours after its order calls nobody before it is looked at again; another transfer under its id does', async () => {
    const { run, receive, outgoing, lines, clock, page } = world();
    await run();
    const sending = { sendingAt: NOON, approvals: [{ by: 'a', at: NOON }] };
    const due = { lastSending: 2, returnState: 'DUE', returnDueAt: '2026-08-02T01:30:00.000Z' } as const;
    receive({ custodianTransferId: 'back' }, { ...unmatched, return: returning(sending), ...due });
    const id = (n: number) => `${depositIdOf('one:back')}-${n}`;
    outgoing.push(sent({ amount: '99', externalId: id(2) }));
    outgoing.push(sent({ amount: '99', externalId: id(1), movementId: 'out-2' }));
    outgoing.push(sent({ amount: '99', externalId: id(2), movementId: 'out-3', toAddress: `0x${'06'.repeat(20)}` }));
    clock.set('2026-08-02T01:00:00.000Z');
    await run();
    const { differences } = await page();
    expect(differences.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
      'RETURN_NOT_RECORDED one:out-1',
      'MONEY_WENT_OUT one:out-2',
      'MONEY_WENT_OUT one:out-3',
    ]);
    expect(lines.filter(({ code }) => code === 'MONEY_WENT_OUT')).toHaveLength(2);
  });

  test('money that went out under an id of a return that cannot be read calls somebody for it only once it can be', async () => {
    const { run, receive, outgoing, lines, clock, page, table } = world();
    await run();
    const due = { returnState: 'DUE', returnDueAt: '2026-08-02T01:30:00.000Z' } as const;
    receive({ custodianTransferId: 'back', state: 'GONE' }, { ...UNREADABLE, ...due });
    outgoing.push(sent({ amount: '99', externalId: `${depositIdOf('one:back')}-0` }));
    for (const day of [2, 3]) {
      clock.set(`2026-08-0${day}T01:00:00.000Z`);
      await run();
      const wentOut = { kind: day === 2 ? 'DEPOSIT_UNREADABLE' : 'MONEY_WENT_OUT', id: 'one:out-1' };
      expect((await page()).differences).toContainEqual(expect.objectContaining(wentOut));
      expect(lines.filter(({ code }) => code === 'MONEY_WENT_OUT')).toHaveLength(day - 2);
      table('deposits').restore([]);
    }
  });

  test('a return that arrives after a person has recorded another one in its place calls somebody at once', async () => {
    const { run, receive, outgoing, lines, clock, page } = world();
    await run();
    const returned = { sendingAt: NOON, returnedAt: NOON, txHash: OTHER_HASH, isByHand: true } as const;
    const watched = { lastSending: 1, returnState: 'WATCHED', returnDueAt: '2026-08-02T12:00:00.000Z' } as const;
    receive({ custodianTransferId: 'back' }, { ...unmatched, return: returning(returned), ...watched });
    outgoing.push(sent({ amount: '99', externalId: `${depositIdOf('one:back')}-1` }));
    clock.set('2026-08-02T01:00:00.000Z');
    await run();
    expect((await page()).differences.map(({ kind }) => kind)).toEqual(['MONEY_WENT_OUT']);
    expect(lines.map(({ code }) => code)).toContain('MONEY_WENT_OUT');
  });
});
