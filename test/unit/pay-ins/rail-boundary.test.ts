import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Payment, PaymentUnreadable, RailUnavailable } from '#shared/pay-ins/rails/payment-rail.ts';
import { railBoundary } from '#shared/pay-ins/rails/rail-boundary.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { PAYIN, payinOf } from '#test/support/pay-ins-in-memory.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const payment: Payment = { reference: PAYIN, status: 'PENDING', amount: '1', currency: 'COP' };
const order = { payin: payinOf(), payer: {} };

/** A rail that answers everything after so many milliseconds. */
function railAfter(milliseconds: number) {
  const late = () => new Promise<Payment>((resolve) => setTimeout(() => resolve(payment), milliseconds));
  return railBoundary({ find: late, order: late }, systemClock);
}

test.each([
  ['a look-up', 3000, (milliseconds: number) => railAfter(milliseconds).find(PAYIN)],
  ['an order', 8000, (milliseconds: number) => railAfter(milliseconds).order(order)],
])('the outcome of %s that is not answered in %d ms is unknown', async (_, longest, ask) => {
  const inTime = ask(longest - 1);
  const late = expect(ask(longest + 1)).rejects.toBeInstanceOf(RailUnavailable);
  await vi.advanceTimersByTimeAsync(longest);
  expect(await inTime).toEqual(payment);
  await late;
});

test('what the rail throws is thrown, and no timer is left behind', async () => {
  const failing = () => Promise.reject(new RailUnavailable('down'));
  await expect(railBoundary({ find: failing, order: failing }, systemClock).find(PAYIN)).rejects.toThrow('down');
  expect(vi.getTimerCount()).toBe(0);
});

describe('decisions 12, Boundary: what a rail answers is a payment, or is not known', () => {
  /** A rail that answers this to everything, whatever it was made for. */
  const answering = (answer: unknown) => {
    const said = async () => JSON.parse(JSON.stringify(answer) ?? 'null');
    return railBoundary({ find: said, order: said }, systemClock);
  };

  test.each([
    payment,
    { ...payment, amount: '0' },
    { ...payment, amount: '150000.50000000000000000000000000' },
    { ...payment, status: 'COMPLETED', link: 'https://rail.example/pay?a=1' },
  ])('%j is one', async (answer) => {
    expect(await answering(answer).find(PAYIN)).toEqual(answer);
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
    { ...payment, link: null },
  ])('%j is none: the outcome is unknown, and nothing of it is taken', async (answer) => {
    await expect(answering(answer).find(PAYIN)).rejects.toBeInstanceOf(PaymentUnreadable);
    await expect(answering(answer).order(order)).rejects.toBeInstanceOf(RailUnavailable);
  });

  test('a payment that the rail does not know is none, and known to be', async () => {
    expect(
      await railBoundary({ find: async () => undefined, order: vi.fn() }, systemClock).find(PAYIN),
    ).toBeUndefined();
  });

  test('it says what of it cannot be read, and nothing that was in it', async () => {
    const said = answering({ ...payment, amount: '1e3', currency: 'pesos of Ana' }).find(PAYIN);
    await expect(said).rejects.toThrow('amount: invalid_format, currency: invalid_format');
  });
});
