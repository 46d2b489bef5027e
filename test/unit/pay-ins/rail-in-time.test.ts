import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Payment, RailUnavailable } from '#shared/pay-ins/rails/payment-rail.ts';
import { railInTime } from '#shared/pay-ins/rails/rail-in-time.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { payinOf } from '#test/support/pay-ins-in-memory.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const payment: Payment = { reference: 'p', status: 'PENDING', amount: '1', currency: 'COP' };
const order = { payin: payinOf(), payer: {} };

/** A rail that answers everything after so many milliseconds. */
function railAfter(milliseconds: number) {
  const late = () => new Promise<Payment>((resolve) => setTimeout(() => resolve(payment), milliseconds));
  return railInTime({ find: late, order: late }, systemClock);
}

test.each([
  ['a look-up', 3000, (milliseconds: number) => railAfter(milliseconds).find('p')],
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
  await expect(railInTime({ find: failing, order: failing }, systemClock).find('p')).rejects.toThrow('down');
  expect(vi.getTimerCount()).toBe(0);
});
