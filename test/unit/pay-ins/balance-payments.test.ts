import { describe, expect, test } from 'vitest';
import { balancePayments, paymentBookOf } from '#functions/pay-ins/balance-payments/balance-payments.ts';
import type { Payin } from '#shared/pay-ins/pay-in.ts';
import { createFindPayins } from '#shared/pay-ins/pay-in-lists.ts';
import { payinItem } from '#shared/pay-ins/pay-in-records.ts';
import { type ListPayments, type Payment, RailUnavailable } from '#shared/pay-ins/rails/payment-rail.ts';
import { createBooks } from '#shared/platform/books/book-store.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { payinOf } from '#test/support/pay-ins-in-memory.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';

const NOON = '2026-08-01T12:00:00.000Z';
const paid: Partial<Payin> = { status: 'COMPLETED' };
const mismatch = { amount: '1', currency: 'COP' };
const mismatched: Partial<Payin> = { ...paid, settlementMismatch: { ...mismatch, at: NOON }, mismatchedAt: NOON };
const ended = (outcome: 'refunded' | 'kept'): Partial<Payin> => ({
  ...mismatched,
  mismatchedAt: undefined,
  mismatchEnds: [{ ...mismatch, outcome, at: NOON }],
});

/** A rail that lists these payments of a day of Bogotá, two on a page. */
function world(payments: readonly (Partial<Payment> & { readonly createdAt?: string })[]) {
  const lines = captureLogs();
  const clock = fakeClock('2026-08-01T09:00:00.000Z');
  const { dynamo, table } = tablesInMemory();
  const books = createBooks(dynamo, 'books', clock);
  const faults: (() => void)[] = [];
  const asked: { readonly createdSince: string; readonly until: string }[] = [];
  const listPayments: ListPayments = async ({ createdSince, until, cursor = '0' }) => {
    asked.push({ createdSince, until });
    faults.shift()?.();
    const inTime = payments.filter(({ createdAt = NOON }) => createdAt >= createdSince && createdAt <= until);
    const start = Number(cursor);
    const listed = inTime.slice(start, start + 2).map(({ createdAt: _, ...given }) => ({
      ...{ reference: 'p', status: 'COMPLETED' as const, amount: '150000.50', currency: 'COP' },
      ...given,
    }));
    return { payments: listed, ...(start + 2 < inTime.length && { cursor: String(start + 2) }) };
  };
  const run = balancePayments({
    rails: new Map([['pse', { listPayments }]]),
    books,
    findPayins: createFindPayins(dynamo, 'payins', clock),
    timeZone: 'America/Bogota',
    clock,
  });
  return {
    ...{ lines, clock, run, faults, asked },
    keep: (differences: Partial<Payin>) =>
      table('payins').put(payinItem(payinOf({ payinId: 'p', ...differences }), undefined)),
    night: async () => {
      await run();
      // An hour after midnight in Bogotá.
      clock.set('2026-08-02T06:00:00.000Z');
      await run();
    },
    page: () => books.findDay(paymentBookOf('pse'), '2026-08-01'),
  };
}

describe('decisions 9, books: every completed payment is a completed pay-in of that amount, every mismatch has an end', () => {
  test.each<[term: string, payin: Partial<Payin>, payment: Partial<Payment>]>([
    ['completed', paid, {}],
    ['refunded', ended('refunded'), mismatch],
    ['kept', ended('kept'), mismatch],
  ])('%s', async (term, payin, payment) => {
    const { keep, night, page } = world([payment]);
    keep(payin);
    await night();
    const amount = payment.amount ?? '150000.5';
    expect(await page()).toMatchObject({ sums: { COP: { in: amount, [term]: amount } }, differences: [] });
  });

  test.each<[kind: string, payin: Partial<Payin> | undefined, payment: Partial<Payment>]>([
    ['PAYIN_MISSING', undefined, {}],
    ['PAYIN_NOT_COMPLETED', { status: 'EXPIRED' }, {}],
    ['PAYIN_DIFFERS', paid, { amount: '150000.51' }],
    ['PAYIN_DIFFERS', ended('kept'), { amount: '2' }],
    ['MISMATCH_OPEN', mismatched, mismatch],
    ['PAYIN_NOT_PAID', paid, { status: 'FAILED' }],
    ['PAYMENT_UNREADABLE', paid, { amount: 'much' }],
    ['PAYMENT_UNREADABLE', undefined, { reference: '' }],
  ])('%s is named by the pay-in', async (kind, payin, payment) => {
    const { keep, night, page } = world([payment]);
    if (payin !== undefined) keep(payin);
    await night();
    const id = payment.reference === undefined ? 'p' : 'without reference';
    expect(await page()).toMatchObject({ differences: [{ kind, id }] });
  });

  test('money of a pay-in that cannot be read is not that of none, and calls somebody', async () => {
    const { keep, night, page, lines } = world([{}]);
    keep({ ...paid, statusHistory: 'none' as never });
    await night();
    expect(await page()).toMatchObject({
      sums: { COP: { in: '150000.5', unexplained: '150000.5' } },
      differences: [{ kind: 'PAYIN_UNREADABLE', id: 'p' }],
    });
    expect(lines).toContainEqual({ level: 'error', code: 'ITEM_UNREADABLE', fields: { id: 'p' } });
  });

  test('a second payment of a completed pay-in is no part of what is completed, whichever is listed first', async () => {
    const { keep, night, page } = world([{ railPaymentId: 'two' }, { railPaymentId: 'one' }]);
    keep({ ...paid, railPaymentId: 'one' });
    await night();
    expect(await page()).toMatchObject({
      sums: { COP: { in: '300001', completed: '150000.5', unexplained: '150000.5' } },
      differences: [{ kind: 'PAYIN_PAID_TWICE', id: 'p' }],
    });
  });

  test('a payment that has failed, or is reversed on both sides, is no money and no difference', async () => {
    const { keep, night, page } = world([{ status: 'FAILED', railPaymentId: 'other' }]);
    keep({ ...paid, railPaymentId: 'one' });
    await night();
    expect(await page()).toMatchObject({ sums: {}, differences: [] });
  });

  test('days are those of the stage, to the millisecond, and read to the end of the cursor after a failure', async () => {
    const times = [
      '2026-08-01T04:59:59.999Z',
      '2026-08-01T05:00:00.000Z',
      NOON,
      '2026-08-02T04:59:59.999Z',
      '2026-08-02T05:00:00.000Z',
    ];
    const { keep, run, clock, faults, page, asked, lines } = world(
      times.map((createdAt) => ({ createdAt, amount: '1' })),
    );
    keep({ ...paid, amount: '1' });
    expect(await run()).toBe(1);
    clock.set('2026-08-02T06:00:00.000Z');
    faults.push(
      () => undefined,
      () => {
        throw new RailUnavailable('down');
      },
      () => {
        throw new TypeError('broken');
      },
    );
    expect(await run()).toBe(0);
    clock.advance(60);
    await run();
    clock.advance(60);
    expect(await run()).toBe(2);
    expect(await page()).toMatchObject({ sums: { COP: { in: '3', completed: '3' } } });
    expect(asked).toContainEqual({ createdSince: times[1], until: times[3] });
    expect(lines).toMatchObject([
      { level: 'warn', code: 'PAYMENTS_NOT_LISTED', fields: { rail: 'pse' } },
      { level: 'error', code: 'BOOKS_NOT_KEPT', fields: { rail: 'pse' } },
    ]);
  });

  test('a rail that requests a pause gets it, and its book goes on after it', async () => {
    const { keep, run, clock, faults, page, asked } = world([{ amount: '1' }]);
    keep({ ...paid, amount: '1' });
    clock.set('2026-08-01T13:00:00.000Z');
    faults.push(() => {
      throw new RailUnavailable('429', { retryAfter: 600 });
    });
    for (let minute = 0; minute < 10; minute += 1) {
      await run();
      clock.advance(60);
    }
    expect(asked).toHaveLength(1);
    await run();
    expect(await page()).toMatchObject({ sums: { COP: { in: '1', completed: '1' } } });
  });
});
