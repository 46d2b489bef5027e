import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Payin } from '#shared/pay-ins/pay-in.ts';
import {
  type FindPaymentAtRail,
  type Payment,
  PaymentUnreadable,
  RailUnavailable,
} from '#shared/pay-ins/rails/payment-rail.ts';
import {
  createFindPayment,
  createListPayments,
  createOrderPayment,
  LONGEST_POLL,
} from '#shared/pay-ins/rails/rail-boundary.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CREATED_AT } from '#test/support/off-ramp.ts';
import { PAYIN, payinOf } from '#test/support/pay-ins-in-memory.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const payment: Payment = { reference: PAYIN, status: 'PENDING', amount: '1', currency: 'COP' };
const payin = payinOf();
const order = { payin, payer: {} };
const rest = { amount: '1', currency: 'COP', at: CREATED_AT };
const BEFORE = '2026-07-01T00:00:00.000Z';
const completedAt = (at: string) => [
  ...(['PENDING', 'PENDING'] as const).map((status) => ({ status, at: BEFORE })),
  { status: 'COMPLETED' as const, at },
];

/** The boundary of a stage whose only rail gives this answer to every call. */
function boundary(answer: () => Promise<Payment>) {
  const rails = new Map([['simulated', { find: answer, order: answer }]]);
  return {
    find: createFindPayment(rails, systemClock),
    poll: createFindPayment(rails, systemClock, LONGEST_POLL),
    order: createOrderPayment(rails, systemClock),
  };
}

/** A rail that answers every call after this many milliseconds. */
const railAfter = (milliseconds: number) =>
  boundary(() => new Promise<Payment>((resolve) => setTimeout(() => resolve(payment), milliseconds)));

test.each([
  ['a look-up', 3000, (milliseconds: number) => railAfter(milliseconds).find(payin)],
  ['a poll', 5000, (milliseconds: number) => railAfter(milliseconds).poll(payin)],
  ['an order', 8000, (milliseconds: number) => railAfter(milliseconds).order(order)],
])('the outcome of %s that is not answered in %d ms is unknown', async (_, longest, ask) => {
  const inTime = ask(longest - 1);
  const late = expect(ask(longest + 1)).rejects.toBeInstanceOf(RailUnavailable);
  await vi.advanceTimersByTimeAsync(longest);
  expect(await inTime).toEqual(payment);
  await late;
});

test('an error of the rail is thrown, and no timer is left behind', async () => {
  const failing = () => Promise.reject(new RailUnavailable('down'));
  await expect(boundary(failing).find(payin)).rejects.toThrow('down');
  expect(vi.getTimerCount()).toBe(0);
});

describe('decisions 12, Boundary: a rail’s answer is a payment, or is unknown', () => {
  /** A rail that gives this answer to every call, even one that is no payment. */
  const answering = (answer: unknown) => {
    return boundary(async () => JSON.parse(JSON.stringify(answer) ?? 'null'));
  };

  test.each([
    payment,
    { ...payment, amount: '0' },
    { ...payment, amount: '150000.50000000000000000000000000' },
    { ...payment, status: 'COMPLETED', link: 'https://rail.example/pay?a=1' },
  ])('%j is one', async (answer) => {
    expect(await answering(answer).find(payin)).toEqual(answer);
    expect(await answering(answer).order(order)).toEqual(answer);
  });

  test.each([
    null,
    'COMPLETED',
    [],
    {},
    { ...payment, reference: 'another' },
    { ...payment, status: 'VOIDED' },
    { ...payment, status: 'completed' },
    { ...payment, amount: 1000 },
    { ...payment, amount: null },
    ...['', '1e+3', '1000.', '+1000', '-1000', '1,000.5', ' 1', '1 COP', 'x', '.5'].map((amount) => ({
      ...payment,
      amount,
    })),
    { ...payment, currency: 'cop' },
    { ...payment, currency: 170 },
    { ...payment, link: 'javascript:alert(1)' },
    { ...payment, link: `https://rail.example/${'a'.repeat(2000)}` },
    { ...payment, link: null },
  ])('%j is none: the outcome is unknown, and nothing of it is taken', async (answer) => {
    await expect(answering(answer).find(payin)).rejects.toBeInstanceOf(PaymentUnreadable);
    await expect(answering(answer).order(order)).rejects.toBeInstanceOf(RailUnavailable);
  });

  test('a payment that the rail does not know counts as absent, not as unknown', async () => {
    const rails = new Map([['simulated', { find: async () => undefined }]]);
    expect(await createFindPayment(rails, systemClock)(payin)).toBeUndefined();
  });

  test.each<[hours: number, outcome: string, differences: Partial<Payin>]>([
    [1, 'A completed pay-in without a payment.', {}],
    [1, 'A completed pay-in without a payment.', { reversedAt: CREATED_AT, settlementMismatch: rest }],
    [0.99, 'none', {}],
    [1, 'none', { reversedAt: CREATED_AT }],
  ])('no payment of a pay-in that is completed for %d hours is: %s', async (hours, outcome, differences) => {
    const statusHistory = completedAt(CREATED_AT);
    const completed = payinOf({ status: 'COMPLETED', createdAt: BEFORE, statusHistory, ...differences });
    const rails = new Map([['simulated', { find: async () => undefined }]]);
    const clock = fakeClock(CREATED_AT);
    clock.advance(hours * 3600);
    const find = createFindPayment(rails, clock);
    const said = find(completed).then(
      () => 'none',
      (error: unknown) => (error instanceof PaymentUnreadable ? error.message : error),
    );
    expect(await said).toBe(outcome);
  });

  test('the error names the unreadable fields, without their values', async () => {
    const said = answering({ ...payment, amount: '1e3', currency: 'pesos of Ana' }).find(payin);
    await expect(said).rejects.toThrow('amount: invalid_format, currency: invalid_format');
  });
});

describe('decisions 12, Boundary: a listed payment', () => {
  const readList = (...payments: readonly Payment[]) =>
    createListPayments({ listPayments: async () => ({ payments }) }, systemClock)({ createdSince: '', until: '' });

  test.each(['', 'r'.repeat(256)])(
    'that has %j for a reference, which is no key of a table, hides no other',
    async (reference) => {
      const { payments } = await readList({ ...payment, reference }, payment);
      expect(payments).toEqual([{}, { reference: PAYIN, payment }]);
    },
  );

  test('of another merchant’s order has the reference that it was given', async () => {
    const reference = 'r'.repeat(255);
    expect((await readList({ ...payment, reference })).payments).toMatchObject([{ reference }]);
  });
});

describe('decisions 12, Registry', () => {
  test('a rail is asked by our reference, by its own id once that is known, and since when it was ordered', async () => {
    const asked: unknown[] = [];
    const find: FindPaymentAtRail = async (sought) => void asked.push(sought);
    const ask = createFindPayment(new Map([['simulated', { find }]]), systemClock);
    await ask(payin);
    const lastOrderedAt = '2026-08-03T00:00:00.000Z';
    await ask({ ...payin, railPaymentId: '4711', orderingSince: lastOrderedAt });
    const sought = { reference: PAYIN, orderedAt: payin.createdAt };
    expect(asked).toEqual([sought, { ...sought, railPaymentId: '4711', lastOrderedAt }]);
  });

  test('only the rail that took the order is asked: a rail that the stage no longer has gives no answer, never "unknown"', async () => {
    const rails = new Map([['another', { find: async () => undefined, order: async () => payment }]]);
    await expect(createFindPayment(rails, systemClock)(payin)).rejects.toBeInstanceOf(RailUnavailable);
    await expect(createOrderPayment(rails, systemClock)(order)).rejects.toBeInstanceOf(RailUnavailable);
  });
});
