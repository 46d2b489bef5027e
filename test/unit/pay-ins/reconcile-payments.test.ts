import { describe, expect, test } from 'vitest';
import { createListPasses } from '#functions/pay-ins/reconcile-payments/list-passes.ts';
import { reconcilePayments } from '#functions/pay-ins/reconcile-payments/reconcile-payments.ts';
import { settleOpenPayins } from '#functions/pay-ins/settle-open-payins/settle-open-payins.ts';
import { createEndMismatch } from '#shared/pay-ins/end-mismatch.ts';
import type { Payin } from '#shared/pay-ins/pay-in.ts';
import { bookPayment } from '#shared/pay-ins/pay-in-books.ts';
import { createFindPayins, createListMismatched, createUnreadablePayins } from '#shared/pay-ins/pay-in-lists.ts';
import { payinItem } from '#shared/pay-ins/pay-in-records.ts';
import {
  createPayinRepository,
  createPollPayinNow,
  createRecordOtherPayment,
} from '#shared/pay-ins/pay-in-repository.ts';
import { type ListPayments, type Payment, RailUnavailable } from '#shared/pay-ins/rails/payment-rail.ts';
import { createSettlePayin } from '#shared/pay-ins/settle-pay-in.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CLIENT } from '#test/support/ids.ts';
import { CREATED_AT } from '#test/support/off-ramp.ts';
import { PAYIN, payinOf } from '#test/support/pay-ins-in-memory.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';

const [HOUR, DAY] = [3600, 86_400];

const paymentOf = (reference: string, differences: Partial<Payment> = {}): Payment => ({
  reference,
  status: 'COMPLETED',
  amount: '150000.5',
  currency: 'COP',
  ...differences,
});

/** True for the list of the week in which pay-ins are created here. */
const isThisWeek = ({ createdSince }: { readonly createdSince: string }) => createdSince === '2026-07-30T00:00:00.000Z';

/** Pay-ins, and a rail that lists these pages in the week of their creation; the cursor of a page is its index. */
function world(pages: readonly (readonly unknown[])[], ...payins: readonly Payin[]) {
  const { dynamo, table } = tablesInMemory();
  const clock = fakeClock(CREATED_AT);
  for (const payin of payins) table('payins').put(payinItem(payin, undefined));
  const weeks: Parameters<ListPayments>[0][] = [];
  const asked: typeof weeks = [];
  const read: string[][] = [];
  const findPayins = createFindPayins(dynamo, 'payins', clock);
  const rail = {
    pages,
    /** Thrown in place of the answer. */
    fails: undefined as Error | undefined,
    listPayments: async (request: Parameters<ListPayments>[0]) => {
      (isThisWeek(request) ? asked : weeks).push(request);
      if (rail.fails !== undefined) throw rail.fails;
      if (!isThisWeek(request)) return { payments: [] };
      const place = Number(request.cursor ?? 0);
      const payments = JSON.parse(JSON.stringify(rail.pages[place] ?? []));
      return { payments, ...(place + 1 < rail.pages.length && { cursor: String(place + 1) }) };
    },
  };
  const passes = createListPasses(dynamo, 'payins', clock);
  const poll = createPollPayinNow(dynamo, 'payins', clock);
  const deps = {
    rails: new Map([['simulated', rail]]),
    passes,
    findPayins: (ids: readonly string[]) => {
      if (ids.length > 0) read.push([...ids]);
      return findPayins(ids);
    },
    pollPayinNow: poll,
    recordOtherPayment: createRecordOtherPayment(dynamo, 'payins', clock),
    clock,
  };
  const due = () =>
    table('payins')
      .items()
      .flatMap(({ payinId, nextPollAt }) => (nextPollAt ? [payinId] : []));
  const reconcile = reconcilePayments(deps);
  const lines = captureLogs();
  let seen = 0;
  /** Codes of the lines that were logged since the last call. */
  const codes = () => {
    const since = lines.slice(seen);
    seen = lines.length;
    return since.map(({ level, code, fields }) => [level, code, fields['payinId']].filter(Boolean).join(' ')).sort();
  };
  return { clock, dynamo, rail, asked, weeks, read, deps, reconcile, due, table, lines, codes };
}

const COMPLETED = payinOf({ status: 'COMPLETED', orderingSince: CREATED_AT });

/** The polls of pay-ins, and the sweep that makes them, of a rail that answers what `said` returns. */
function lookUps({ dynamo, clock }: Pick<ReturnType<typeof world>, 'dynamo' | 'clock'>, said: () => Payment) {
  const payins = createPayinRepository(dynamo, { payins: 'payins', events: 'events' }, clock);
  const findPayment = async () => said();
  const settlePayin = createSettlePayin(payins, findPayment, clock);
  const unreadable = createUnreadablePayins(dynamo, 'payins', clock);
  const listClientIds = async () => [CLIENT];
  const sweep = settleOpenPayins({ payins, unreadable, listClientIds, findPayment, settlePayin, clock });
  return { payins, settlePayin, sweep };
}

test('decisions 12, Reconciliation: money that is taken back five days later, and never notified, is known a day later', async () => {
  const { clock, dynamo, rail, reconcile, due, table } = world([[paymentOf(PAYIN)]], COMPLETED);
  for (let day = 0; day < 5; day += 1) {
    await reconcile();
    clock.advance(DAY);
  }
  expect(due()).toEqual([]);
  const takenBack = paymentOf(PAYIN, { status: 'FAILED' });
  rail.pages = [[takenBack]];
  expect(await reconcile()).toBe(1);
  const { payins, sweep } = lookUps({ dynamo, clock }, () => takenBack);
  await sweep();
  expect((await payins.find(PAYIN))?.reversedAt).toBe(clock.now().toISOString());
  expect(table('events').items()).toHaveLength(1);
});

test.each([
  ['the payment that completed it', { railPaymentId: '1' }, {}],
  ['one whose id the rail does not say', { railPaymentId: undefined }, {}],
  ['another one that has failed', { railPaymentId: '2', status: 'FAILED' }, {}],
  ['another one, of a pay-in whose own is not known', { railPaymentId: '2' }, { railPaymentId: undefined }],
  ['another one, of a pay-in that is not paid', { railPaymentId: '2' }, { status: 'PENDING' }],
] as const)('is no second payment of its reference: %s', async (_, listed, pay) => {
  const { reconcile, codes } = world([[paymentOf(PAYIN, { paidAt: CREATED_AT, ...listed })]], {
    ...COMPLETED,
    ...{ railPaymentId: '1', ...pay },
  });
  await reconcile();
  expect(codes()).toEqual([]);
});

describe('a second payment of a completed pay-in, by another id at the rail', () => {
  const first = paymentOf(PAYIN, { railPaymentId: '1' });
  const second = paymentOf(PAYIN, { railPaymentId: '2' });

  /** Each day the list is read, and the pay-ins that it makes due are polled: a poll finds one of the two payments. */
  function paidTwice() {
    const inner = world([[first, second]], { ...COMPLETED, railPaymentId: '1' });
    const { payins, sweep } = lookUps(inner, () => made.found);
    const list = createListMismatched(inner.dynamo, 'payins');
    const made = {
      ...inner,
      payins,
      found: first,
      day: async () => {
        await inner.reconcile();
        await sweep();
        inner.clock.advance(DAY);
        return inner.codes();
      },
      listed: async () => (await list(CREATED_AT, inner.clock.now().toISOString(), 50)).items,
    };
    return made;
  }

  test('calls somebody, once, and is excess money: finance has it in `mismatched` until it is ended', async () => {
    const { payins, day, listed, dynamo, clock, table } = paidTwice();
    expect(await day()).toEqual([`error PAYIN_SETTLEMENT_MISMATCH ${PAYIN}`, `error REFERENCE_USED_TWICE ${PAYIN}`]);
    const seen = await payins.find(PAYIN);
    expect(seen).toMatchObject({ status: 'COMPLETED', settlementMismatch: { amount: '300001', currency: 'COP' } });
    expect(seen).not.toHaveProperty('reversedAt');
    expect(await listed()).toMatchObject([{ payinId: PAYIN }]);
    expect(table('events').items()).toEqual([]);
    if (seen === undefined) throw new Error('It is gone.');
    const end = { amount: '300001', currency: 'COP', outcome: 'refunded', reference: 'TRF-1' } as const;
    const endMismatch = createEndMismatch(dynamo, { payins: 'payins', events: 'events' });
    await endMismatch(seen, { ...end, at: clock.now().toISOString() });
    expect([await day(), await day(), await listed()]).toEqual([[], [], []]);
  });

  test('is over when the rail takes it back', async () => {
    const { payins, day, listed, rail } = paidTwice();
    await day();
    rail.pages = [[first, { ...second, status: 'FAILED' }]];
    expect(await day()).toEqual([]);
    expect(await payins.find(PAYIN)).toMatchObject({ status: 'COMPLETED', otherPayments: {} });
    expect([await listed(), await day()]).toEqual([[], []]);
  });

  test('is added to the other money beside the first one, but not in another currency', async () => {
    const { payins, day, rail } = paidTwice();
    const others = [second, { ...second, railPaymentId: '3' }, { ...second, railPaymentId: '4', currency: 'USD' }];
    rail.pages = [[first, ...others]];
    for (const _ of [1, 2, 3]) await day();
    expect(await payins.find(PAYIN)).toMatchObject({ settlementMismatch: { amount: '450001.5' } });
    expect((await payins.find(PAYIN))?.otherPayments).toEqual({ 2: '150000.5', 3: '150000.5' });
  });

  test.each([
    ['the first one is asked for', 'FAILED', '1', { 2: '150000.5', 3: '150000.5' }],
    ['the second one is', 'COMPLETED', '2', { 3: '150000.5' }],
  ] as const)('stays with a third one when the rail takes the first one back: %s', async (_, status, found, rest) => {
    const made = paidTwice();
    made.rail.pages = [[first, second, { ...second, railPaymentId: '3' }]];
    for (const _ of [1, 2]) await made.day();
    made.rail.pages = [[{ ...first, status: 'FAILED' }]];
    made.found = { ...first, status, railPaymentId: found };
    await made.day();
    const seen = await made.payins.find(PAYIN);
    expect(seen).toMatchObject({ settlementMismatch: { amount: '300001' }, railPaymentId: found });
    expect([seen?.reversedAt, seen?.otherPayments]).toEqual([undefined, rest]);
  });

  test('is the money of the order when the rail takes the first one back', async () => {
    const made = paidTwice();
    await made.day();
    const taken = { ...first, status: 'FAILED' } as const;
    made.rail.pages = [[taken, second]];
    made.found = second;
    expect(await made.day()).toEqual([]);
    const seen = await made.payins.find(PAYIN);
    expect([seen?.status, seen?.reversedAt, seen?.settlementMismatch]).toEqual(['COMPLETED', undefined, undefined]);
    const differences = [taken, second].flatMap((payment) => bookPayment(payment, seen).differences);
    expect([differences, made.table('events').items(), await made.reconcile()]).toEqual([[], [], 0]);
  });
});

describe('decisions 12, Reconciliation: the payments that are handed over', () => {
  const other = { settlementMismatch: { amount: '7', currency: 'COP', at: CREATED_AT }, mismatchedAt: CREATED_AT };
  const failed = payinOf({ status: 'FAILED' });

  test.each<[string, Payin, unknown, boolean]>([
    ['a payment of an open one', payinOf(), paymentOf(PAYIN), true],
    ['a late one of one that failed', failed, paymentOf(PAYIN), true],
    ['another amount', payinOf(), paymentOf(PAYIN, { amount: '7' }), true],
    ['another amount that is known', payinOf(other), paymentOf(PAYIN, { amount: '7.00' }), false],
    ['an end', payinOf(), paymentOf(PAYIN, { status: 'EXPIRED' }), true],
    ['an end after an end', failed, paymentOf(PAYIN, { status: 'EXPIRED' }), false],
    [
      'an end of what was a mismatch',
      payinOf({ ...other, status: 'FAILED' }),
      paymentOf(PAYIN, { status: 'FAILED' }),
      true,
    ],
    ['that it is open', payinOf(), paymentOf(PAYIN, { status: 'PENDING' }), false],
    ['that it is paid as it is', COMPLETED, paymentOf(PAYIN), false],
    ['less than before', COMPLETED, paymentOf(PAYIN, { amount: '1' }), true],
    ['what cannot be read', COMPLETED, { ...paymentOf(PAYIN), amount: 1 }, true],
  ])('%s', async (_, payin, listed, isDue) => {
    const { reconcile, due, lines } = world([[listed]], payin);
    expect([await reconcile(), due()]).toEqual(isDue ? [1, [PAYIN]] : [0, []]);
    expect(lines).toEqual([]);
  });

  test('a payment without a pay-in that cannot be read calls somebody: it may be money', async () => {
    const { reconcile, codes } = world([[{ ...paymentOf('nobody'), amount: 1 }]]);
    await reconcile();
    expect(codes()).toEqual(['error PAYMENT_UNREADABLE nobody']);
  });

  test('a pay-in that cannot be read hides no other of its list, and calls somebody', async () => {
    const pages = [[paymentOf('broken'), paymentOf(PAYIN)], [paymentOf('behind')]];
    const { reconcile, due, table, codes, lines } = world(pages, payinOf(), payinOf({ payinId: 'behind' }));
    table('payins').put({ ...payinItem(payinOf({ payinId: 'broken' }), undefined), statusHistory: 'none' });
    expect(await reconcile()).toBe(2);
    expect(due().sort()).toEqual([PAYIN, 'behind'].sort());
    expect(codes()).toEqual(['error ITEM_UNREADABLE']);
    expect(lines[0]?.fields).toEqual({ id: 'broken' });
  });

  test('money without a pay-in, and a payment without a reference, call somebody; old money not every day', async () => {
    const recent = { paidAt: CREATED_AT };
    const { clock, reconcile, codes } = world([
      [
        paymentOf('nobody', recent),
        paymentOf('open', { status: 'PENDING' }),
        paymentOf('none', { status: 'FAILED' }),
        paymentOf('undated'),
        {},
      ],
    ]);
    await reconcile();
    const [undated, unreadable] = ['error PAYIN_UNKNOWN undated', 'error PAYMENT_UNREADABLE'];
    expect(codes()).toEqual(['error PAYIN_UNKNOWN nobody', undated, unreadable]);
    clock.advance(DAY);
    await reconcile();
    codes();
    clock.advance(DAY);
    await reconcile();
    codes();
    clock.advance(DAY);
    await reconcile();
    expect(codes()).toEqual([undated, unreadable]);
  });
});

describe('decisions 12, Reconciliation: the list is read to its end once a day', () => {
  const pages = [[paymentOf('p-0')], [paymentOf('p-1')], [paymentOf('p-2')]];
  const open = pages.flat().map(({ reference }) => payinOf({ payinId: reference }));
  const cursors = (asked: readonly { readonly cursor?: string }[]) => asked.map(({ cursor }) => cursor);

  test('for the weeks of the 61 days before it begins, and not again before the next day', async () => {
    const { clock, reconcile, asked, weeks, due, table } = world(pages, ...open);
    expect(await reconcile()).toBe(3);
    expect(asked[0]).toEqual({ createdSince: '2026-07-30T00:00:00.000Z', until: CREATED_AT });
    expect(cursors(asked)).toEqual([undefined, '1', '2']);
    const times = [...weeks, ...asked.slice(0, 1)].map(({ createdSince, until }) =>
      [createdSince, until].map(Date.parse),
    );
    expect(times[0]?.[0]).toBeLessThanOrEqual(Date.parse(CREATED_AT) - 61 * DAY * 1000);
    // Each list begins where the one before ends.
    expect(times.slice(1).map(([since]) => since)).toEqual(times.slice(0, -1).map(([, until = 0]) => until + 1));
    expect(due().sort()).toEqual(['p-0', 'p-1', 'p-2']);
    clock.advance(DAY - 1);
    expect([await reconcile(), asked.length]).toEqual([0, 3]);
    clock.advance(1);
    await reconcile();
    expect(asked[3]?.until).toBe(clock.now().toISOString());
    for (let week = 1; week <= 5; week += 1) {
      clock.advance(7 * DAY);
      await reconcile();
    }
    const kept = table('payins').items();
    // Pages are kept for the last weeks only, not for every week that ever was.
    expect(kept.filter(({ record }) => String(record).startsWith('LIST_PAGE')).length).toBeLessThanOrEqual(10);
  });

  test('its place moves only past what was handed over', async () => {
    const { reconcile, deps, asked, due, lines } = world(pages, ...open);
    const away = reconcilePayments({
      ...deps,
      pollPayinNow: (payinId, at) =>
        payinId === 'p-1' ? Promise.reject(new Error('the table is away')) : deps.pollPayinNow(payinId, at),
    });
    await away();
    expect(lines).toMatchObject([{ level: 'error', code: 'PAYMENTS_NOT_RECONCILED', fields: { rail: 'simulated' } }]);
    await reconcile();
    expect(cursors(asked)).toEqual([undefined, '1', '1', '2']);
    expect(due()).toHaveLength(3);
  });

  test('a call that has no time left leaves the rest to the next', async () => {
    const { clock, rail, reconcile, asked } = world(pages, ...open);
    const { listPayments } = rail;
    rail.listPayments = (request) => {
      if (isThisWeek(request)) clock.advance(16);
      return listPayments(request);
    };
    await reconcile();
    expect(cursors(asked)).toEqual([undefined, '1']);
    for (let call = 2; call <= 4; call += 1) await reconcile();
    expect(cursors(asked)).toEqual([undefined, '1', '2']);
  });

  test('and if it never comes to its end, though the rail answers, somebody is called after two days', async () => {
    const { clock, rail, reconcile, codes } = world(pages, ...open);
    const { listPayments } = rail;
    rail.listPayments = (request) => {
      if (isThisWeek(request)) clock.advance(16 * HOUR);
      return listPayments(request);
    };
    const called: (readonly string[])[] = [];
    for (let call = 1; call <= 4; call += 1) {
      await reconcile();
      called.push(codes());
    }
    expect(called).toEqual([[], [], [], ['error PAYMENTS_NOT_RECONCILED']]);
    rail.listPayments = listPayments;
    await reconcile();
    await reconcile();
    expect(codes()).toEqual([]);
  });

  test('a pass that the earlier release began meanwhile is read from its beginning, not from places of another pass', async () => {
    const { clock, rail, reconcile, asked, table } = world(pages, ...open);
    const { listPayments } = rail;
    rail.listPayments = (request) => {
      if (isThisWeek(request)) clock.advance(31);
      return listPayments(request);
    };
    await reconcile();
    clock.advance(DAY);
    const [startedAt, key] = [clock.now().toISOString(), { payinId: 'LIST#simulated', record: 'LIST_PASS' }];
    const begun = table('payins').find(key);
    expect(begun).toHaveProperty('places');
    table('payins').put({ ...begun, ...key, startedAt, nextRunAt: startedAt, cursor: '7', sequence: 2 });
    await reconcile();
    expect(cursors(asked)).toEqual([undefined, undefined]);
    // Once the rail is back, its list is read from the beginning.
    expect(table('payins').find(key)).not.toHaveProperty('cursor');
  });

  test('two calls at the same time hand over the same, and the place of one is kept', async () => {
    const { reconcile, deps, due } = world(pages, ...open);
    await Promise.all([reconcile(), reconcile()]);
    expect(due()).toHaveLength(3);
    expect(await deps.passes.find('simulated')).toMatchObject({ isUnderWay: false, sequence: 1 });
  });

  test('a rail that does not answer is asked again when it wants to be, from the same place; after two days somebody is called', async () => {
    const { clock, rail, reconcile, asked, codes } = world(pages, ...open);
    rail.fails = new RailUnavailable('429', { retryAfter: 3 * HOUR });
    await reconcile();
    clock.advance(3 * HOUR - 1);
    await reconcile();
    expect(asked).toHaveLength(1);
    rail.fails = new RailUnavailable('down');
    clock.advance(1);
    await reconcile();
    expect(codes()).toEqual(['warn PAYMENTS_NOT_LISTED', 'warn PAYMENTS_NOT_LISTED']);
    clock.advance(299);
    await reconcile();
    expect(asked).toHaveLength(2);
    clock.advance(2 * DAY);
    await reconcile();
    expect(codes()).toEqual(['error PAYMENTS_NOT_RECONCILED', 'warn PAYMENTS_NOT_LISTED']);
    rail.fails = undefined;
    clock.advance(300);
    expect(await reconcile()).toBe(3);
    expect(codes()).toEqual([]);
  });

  test('a cursor that is a day old is not used: the list begins anew', async () => {
    const { clock, rail, reconcile, asked } = world(pages, ...open);
    const { listPayments } = rail;
    rail.listPayments = async (request) => {
      if (request.cursor === '1' && rail.fails === undefined) rail.fails = new RailUnavailable('the cursor is unknown');
      return listPayments(request);
    };
    await reconcile();
    rail.fails = undefined;
    rail.listPayments = listPayments;
    clock.advance(DAY);
    await reconcile();
    expect(cursors(asked)).toEqual([undefined, '1', undefined, '1', '2']);
  });

  test('a list that does not go on is no list', async () => {
    const { rail, reconcile, asked, lines } = world(pages, ...open);
    rail.listPayments = async (request) => {
      if (isThisWeek(request)) asked.push(request);
      return { payments: [], cursor: '1' };
    };
    await reconcile();
    expect([asked.length, lines.map(({ code }) => code)]).toEqual([2, ['PAYMENTS_NOT_LISTED']]);
  });
});

describe('decisions 12, Reconciliation: a page that repeats what its pay-ins agree with is not compared again', () => {
  const page = [paymentOf(PAYIN), paymentOf('open', { status: 'PENDING' })];
  const takenBack = [paymentOf(PAYIN, { status: 'FAILED' })];

  test('for fifteen days; pay-ins that have not ended at the rail are not even read', async () => {
    const { clock, reconcile, read } = world([page], COMPLETED);
    for (let day = 0; day < 15; day += 1) {
      await reconcile();
      clock.advance(DAY);
    }
    expect(read).toEqual([[PAYIN]]);
    await reconcile();
    expect(read).toEqual([[PAYIN], [PAYIN]]);
  });

  test('but when it says anything else, and when it then says again what it said before', async () => {
    const { clock, rail, reconcile, table } = world([page], COMPLETED);
    const polls: number[] = [];
    for (const said of [page, takenBack, page]) {
      rail.pages = [said];
      polls.push(await reconcile());
      clock.advance(DAY);
      // The poll finds that the payment was taken back.
      if (said === takenBack) table('payins').put(payinItem({ ...COMPLETED, reversedAt: CREATED_AT }, undefined));
    }
    expect(polls).toEqual([0, 1, 1]);
  });

  test.each<[string, readonly unknown[]]>([
    ['somebody was polled', takenBack],
    ['a payment cannot be read', [{ ...paymentOf(PAYIN), amount: 1 }]],
    ['a payment has no reference', [...page, {}]],
    ['there is money without a pay-in', [...page, paymentOf('nobody')]],
    ['a payment without a pay-in cannot be read', [...page, { ...paymentOf('nobody'), amount: 1 }]],
  ])('it is compared each day while %s', async (_, listed) => {
    const { clock, reconcile, read } = world([listed], { ...COMPLETED, railPaymentId: '1' });
    for (let day = 0; day < 3; day += 1) {
      await reconcile();
      clock.advance(DAY);
    }
    expect(read).toHaveLength(3);
  });

  test.each([
    ['comes and goes', [] as Payment[]],
    ['goes and comes', [paymentOf(PAYIN, { amount: '7' })]],
    ['is another one for a while', [paymentOf(PAYIN, { amount: '7' }), paymentOf(PAYIN, { amount: '8' })]],
  ])(
    'an amount of one that is not completed, which %s before the list is read again, is known two days later',
    async (_, before) => {
      const ended = paymentOf(PAYIN, { status: 'FAILED' });
      const [first = ended, other = first === ended ? paymentOf(PAYIN, { amount: '7' }) : ended] = before;
      let said = first;
      const { clock, dynamo, reconcile } = world([[first]], payinOf({ status: 'EXPIRED', orderingSince: CREATED_AT }));
      const { payins, settlePayin, sweep } = lookUps({ dynamo, clock }, () => said);
      const pass = async (hours: number) => {
        for (let hour = 0; hour < hours; hour += 1) {
          clock.advance(HOUR);
          await reconcile();
          await sweep();
        }
      };
      await pass(3 * 24);
      said = other;
      const asked = await payins.find(PAYIN);
      const settled = await settlePayin(PAYIN, { asked, payment: said });
      if (settled === undefined || settled.sequence === asked?.sequence) throw new Error('It was no news.');
      // The notification makes the pay-in due, as receive-rail-notification does.
      await payins.pollAgainAt(settled, clock.now().toISOString());
      await sweep();
      said = first;
      await pass(2 * 24 + 1);
      expect((await payins.find(PAYIN))?.settlementMismatch?.amount).toBe(first === ended ? undefined : first.amount);
    },
  );

  test('a pass that dies between two pages has recorded no page as agreed that was not handed over', async () => {
    const pages = [[paymentOf(PAYIN)], takenBack];
    const { clock, reconcile, deps, read } = world(pages, COMPLETED);
    await reconcilePayments({ ...deps, pollPayinNow: () => Promise.reject(new Error('the table is away')) })();
    clock.advance(60);
    expect([await reconcile(), read.length]).toEqual([1, 3]);
  });
});
