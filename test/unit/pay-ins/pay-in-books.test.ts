import { expect, test } from 'vitest';
import type { Payin } from '#shared/pay-ins/pay-in.ts';
import { bookPayment } from '#shared/pay-ins/pay-in-books.ts';
import type { Payment } from '#shared/pay-ins/rails/payment-rail.ts';
import { addEntries } from '#shared/platform/books/book.ts';
import { CREATED_AT } from '#test/support/off-ramp.ts';
import { PAYIN, payinOf } from '#test/support/pay-ins-in-memory.ts';

const { amount, currency } = payinOf({});

const PAID = { status: 'COMPLETED' } as const;

test.each<[what: string, amount: string, outcome: 'refunded' | 'kept', expected: Readonly<Record<string, string>>]>([
  ['an excess that was refunded', '150000.5', 'refunded', { in: '150000.5', completed: '100000', refunded: '50000.5' }],
  ['an excess that was kept', '150000', 'kept', { in: '150000', completed: '100000', kept: '50000' }],
  ['less than it', '60000', 'kept', { in: '60000', kept: '60000' }],
])('decisions 9, books: the end of an overpaid, completed pay-in covers only the excess: %s', (...given) => {
  const [, paid, outcome, expected] = given;
  const there = { amount: paid, currency, at: CREATED_AT };
  const ended = { settlementMismatch: there, mismatchEnds: [{ ...there, outcome }] };
  const listed: Payment = { reference: PAYIN, status: 'COMPLETED', amount: paid, currency };
  const payin = payinOf({ ...PAID, amount: '100000', ...ended });
  const { entries, differences } = bookPayment(listed, payin);
  expect(addEntries({}, entries)).toEqual({ [currency]: expected });
  expect(differences).toEqual([]);
});

test('decisions 9, books: a day has a line for each of two hundred assets, and one that counts the movements of all others', () => {
  const came = Array.from({ length: 202 }, (_, number) => ({ asset: `${number}`, term: 'in', amount: '7' }));
  const sums = addEntries({}, [...came, ...came]);
  expect(Object.keys(sums)).toHaveLength(201);
  expect(sums).toMatchObject({ 199: { in: '14' }, 'further assets': { in: '4' } });
});

/** How the book has the payment: the terms of its entries, and the kinds of its differences. */
function booked(payment: Partial<Payment>, payin: Partial<Payin> | undefined) {
  const listed: Payment = { reference: PAYIN, status: 'COMPLETED', amount, currency, railPaymentId: '1', ...payment };
  const { entries, differences } = bookPayment(listed, payin && payinOf({ railPaymentId: '1', ...payin }));
  return [entries.map(({ term }) => term), differences.map(({ kind }) => kind)];
}

const SEVEN = { amount: '7', currency: 'COP', at: CREATED_AT };
const ENDED = { settlementMismatch: SEVEN, mismatchEnds: [{ ...SEVEN, outcome: 'kept' }] } satisfies Partial<Payin>;

/** Completed by the payment 1, and paid again by the payment 2. */
const twice = (end: object) => {
  const settlementMismatch = { amount: '300001', currency, at: CREATED_AT };
  return { ...PAID, otherPayments: { 2: amount }, settlementMismatch, ...end };
};
const OPEN_TWICE = twice({ mismatchedAt: CREATED_AT });
const REFUNDED = { mismatchEnds: [{ amount: '300001', currency, at: CREATED_AT, outcome: 'refunded' as const }] };

test.each<[what: string, payment: Partial<Payment>, payin: Partial<Payin> | undefined, expected: unknown]>([
  ['the first payment of two', {}, OPEN_TWICE, [['in', 'completed'], []]],
  ['the second payment of two', { railPaymentId: '2' }, OPEN_TWICE, [['in', 'unexplained'], ['MISMATCH_OPEN']]],
  ['the first payment of two that finance has ended', {}, twice(REFUNDED), [['in', 'completed'], []]],
  [
    ...([
      'a second payment of more than the order that was refunded',
      { railPaymentId: '2', amount: '150001' },
    ] as const),
    { ...twice(REFUNDED), amount: '150000', otherPayments: { 2: '150001' } },
    [['in', 'refunded'], []],
  ],
  ['the second payment that was refunded', { railPaymentId: '2' }, twice(REFUNDED), [['in', 'refunded'], []]],
  [
    'the first of two with less than it had',
    { amount: '1' },
    twice(REFUNDED),
    [['in', 'unexplained'], ['PAYIN_DIFFERS']],
  ],
  ['what completed it', {}, PAID, [['in', 'completed'], []]],
  ['what completed it, its id not said', { railPaymentId: undefined }, PAID, [['in', 'completed'], []]],
  ['what completed one whose id is not known', {}, { ...PAID, railPaymentId: undefined }, [['in', 'completed'], []]],
  ['a second payment', { railPaymentId: '2' }, PAID, [['in', 'unexplained'], ['PAYIN_PAID_TWICE']]],
  ['money of one that is open', {}, { status: 'PENDING' }, [['in', 'unexplained'], ['PAYIN_NOT_COMPLETED']]],
  [
    ...(['other money of one that is open', { railPaymentId: '2' }, { status: 'PENDING' }] as const),
    [['in', 'unexplained'], ['PAYIN_NOT_COMPLETED']],
  ],
  ['money of none', {}, undefined, [['in', 'unexplained'], ['PAYIN_MISSING']]],
  ['more than it has', { amount: `1${amount}` }, PAID, [['in', 'unexplained'], ['PAYIN_DIFFERS']]],
  ['as much of another currency', { currency: 'USD' }, PAID, [['in', 'unexplained'], ['PAYIN_DIFFERS']]],
  ['another amount that finance has kept', { amount: '7' }, ENDED, [['in', 'kept'], []]],
  [
    ...(['what finance has kept after it had refunded it', { amount: '7' }] as const),
    { ...ENDED, mismatchEnds: [{ ...SEVEN, outcome: 'refunded' }, ...ENDED.mismatchEnds] },
    [['in', 'kept'], []],
  ],
  [
    ...(['more than the order of a failed one that finance has kept', { amount: '150001' }] as const),
    { ...ENDED, status: 'FAILED', amount: '150000', settlementMismatch: { ...SEVEN, amount: '150001' } },
    [['in', 'kept'], []],
  ],
  [
    ...(['it again, listed anew', { amount: '7' }, { ...ENDED, mismatchedAt: CREATED_AT }] as const),
    [['in', 'unexplained'], ['MISMATCH_OPEN']],
  ],
  [
    ...(['another amount of a completed one', { amount: '7', currency: 'USD' }] as const),
    { ...PAID, reversedAt: CREATED_AT, ...ENDED, settlementMismatch: { ...SEVEN, currency: 'USD' } },
    [['in', 'kept'], []],
  ],
  [
    ...(['a larger amount of another currency that finance has kept', { amount: '150001', currency: 'USD' }] as const),
    {
      ...PAID,
      amount: '150000',
      reversedAt: CREATED_AT,
      ...ENDED,
      settlementMismatch: { ...SEVEN, amount: '150001', currency: 'USD' },
    },
    [['in', 'kept'], []],
  ],
  ['nothing, of one that is paid', { status: 'FAILED' }, PAID, [[], ['PAYIN_NOT_PAID']]],
  ['nothing by another payment', { status: 'FAILED', railPaymentId: '2' }, PAID, [[], []]],
  ['nothing, of one taken back', { status: 'FAILED' }, { ...PAID, reversedAt: CREATED_AT }, [[], []]],
  ['nothing, of one that is open', { status: 'EXPIRED' }, { status: 'PENDING' }, [[], []]],
  ['nothing, of none', { status: 'PENDING' }, undefined, [[], []]],
])('decisions 9, books: a rail that lists %s', (_, payment, payin, expected) => {
  expect(booked(payment, payin)).toEqual(expected);
});
