import { describe, expect, test } from 'vitest';
import { describePayinWithHistory } from '#shared/pay-ins/pay-in-contract.ts';
import { payinReversed } from '#shared/pay-ins/pay-in-events.ts';
import { payinItem } from '#shared/pay-ins/pay-in-records.ts';
import { createPayinRepository } from '#shared/pay-ins/pay-in-repository.ts';
import type { Payment } from '#shared/pay-ins/rails/payment-rail.ts';
import { createSettlePayin } from '#shared/pay-ins/settle-pay-in.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { USER } from '#test/support/ids.ts';
import { CREATED_AT } from '#test/support/off-ramp.ts';
import { PAYIN, payinOf } from '#test/support/pay-ins-in-memory.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';

const HOUR = 3600;
const AN_HOUR_LATER = '2026-08-01T13:00:00.000Z';
const ORDERED = { amount: '150000.5', currency: 'COP' };

/** A pay-in of 150,000.5 pesos that was completed an hour ago, and what its rail says since then. */
async function world() {
  const { dynamo, table, beforeNextWrite } = tablesInMemory();
  const clock = fakeClock(CREATED_AT);
  const payins = createPayinRepository(dynamo, { payins: 'payins', events: 'events' }, clock);
  const rail: { payment: Payment; asked: number } = {
    payment: { reference: PAYIN, status: 'COMPLETED', ...ORDERED },
    asked: 0,
  };
  const find = async () => {
    rail.asked += 1;
    return rail.payment;
  };
  const settle = createSettlePayin(payins, find, clock);
  const stored = async () => (await payins.find(PAYIN)) ?? payinOf();
  const said = async (status: Payment['status'], amount = ORDERED.amount, currency = 'COP') => {
    rail.payment = { reference: PAYIN, status, amount, currency };
    return settle(PAYIN, { asked: await stored(), payment: rail.payment });
  };
  const told = () =>
    table('events')
      .items()
      .map(({ body }) => JSON.parse(String(body)))
      .filter(({ type }) => type === payinReversed.shape.type.def.values[0])
      .map(({ data }) => data);
  table('payins').put(payinItem(payinOf({ orderingSince: CREATED_AT }), CREATED_AT));
  const before = await stored();
  await said('COMPLETED');
  clock.advance(HOUR);
  const item = () => table('payins').find({ payinId: PAYIN, record: 'PAYIN' });
  const lines = captureLogs();
  const codes = () => lines.filter(({ level }) => level === 'error').map(({ code }) => code);
  return { clock, payins, rail, settle, said, told, stored, before, item, codes, beforeNextWrite };
}

const heard = { payinId: PAYIN, userId: USER, status: 'COMPLETED', previousStatus: 'COMPLETED' };

describe('decisions 5: a completed pay-in that the rail takes back keeps its status', () => {
  test.each(['FAILED', 'EXPIRED'] as const)('%s: all of the money was taken back', async (status) => {
    const { said, stored, told, item, codes } = await world();
    await said(status);
    const after = await stored();
    expect(after).toMatchObject({ status: 'COMPLETED', sequence: 3, reversedAt: AN_HOUR_LATER });
    expect(after).not.toHaveProperty('settlementMismatch');
    expect(item()).toMatchObject({ mismatched: 'MISMATCHED', mismatchedAt: AN_HOUR_LATER, completedAt: CREATED_AT });
    expect(told()).toEqual([{ ...heard, sequence: 3, reversedAt: AN_HOUR_LATER, remainingAmount: 0 }]);
    expect(codes()).toEqual(['COMPLETED_PAYIN_REVERSED']);
    const read = { status: 'COMPLETED', reversedAt: AN_HOUR_LATER, remainingAmount: 0 };
    expect(describePayinWithHistory(after)).toMatchObject(read);
  });

  test('more than was ordered, as after two payments: only finance is told, and there is no event', async () => {
    const { said, stored, told, item, codes } = await world();
    await said('COMPLETED', '300001');
    expect(await stored()).toMatchObject({
      status: 'COMPLETED',
      sequence: 3,
      settlementMismatch: { amount: '300001' },
    });
    expect(await stored()).not.toHaveProperty('reversedAt');
    expect([item()?.['mismatched'], told(), codes()]).toEqual(['MISMATCHED', [], ['PAYIN_SETTLEMENT_MISMATCH']]);
  });

  test('another currency: nothing of the ordered money is left', async () => {
    const { said, stored, told } = await world();
    await said('COMPLETED', ORDERED.amount, 'USD');
    const settlementMismatch = { amount: ORDERED.amount, currency: 'USD', at: AN_HOUR_LATER };
    expect(await stored()).toMatchObject({ reversedAt: AN_HOUR_LATER, settlementMismatch });
    expect(told()).toMatchObject([{ reversedAt: AN_HOUR_LATER, remainingAmount: 0 }]);
  });

  test('part after part: each is an event, and the first one sets the time', async () => {
    const { said, stored, told, clock } = await world();
    await said('COMPLETED', '100000');
    clock.advance(HOUR);
    await said('COMPLETED', '50000');
    expect(describePayinWithHistory(await stored())).toMatchObject({ sequence: 4, remainingAmount: 50_000 });
    clock.advance(HOUR);
    await said('FAILED');
    expect(told().map(({ sequence, reversedAt, remainingAmount }) => [sequence, reversedAt, remainingAmount])).toEqual([
      [3, AN_HOUR_LATER, 100_000],
      [4, AN_HOUR_LATER, 50_000],
      [5, AN_HOUR_LATER, 0],
    ]);
    expect(await stored()).toMatchObject({ reversedAt: AN_HOUR_LATER, mismatchedAt: AN_HOUR_LATER });
    expect(await stored()).not.toHaveProperty('settlementMismatch');
  });

  test('a part, and all of it a month later: the rail is polled again after that, in case the money is back', async () => {
    const { said, stored, clock, item } = await world();
    await said('COMPLETED', '100000');
    clock.advance(31 * 24 * HOUR);
    await said('FAILED');
    expect((await stored()).reversedAt).toBe(AN_HOUR_LATER);
    expect(item()?.['nextPollAt']).toBe('2026-09-01T13:01:00.000Z');
  });

  test.each([
    ['COMPLETED', '150000.50'],
    ['PENDING', '150000.5'],
  ] as const)('an answer without news changes nothing: %s %s', async (status, amount) => {
    const { said, stored, told, codes } = await world();
    const before = await stored();
    await said(status, amount);
    expect([await stored(), told(), codes()]).toEqual([before, [], []]);
  });

  test('the same again, in another form, is nothing new', async () => {
    const { said, stored, told, codes } = await world();
    await said('COMPLETED', '50000');
    await said('COMPLETED', '50000.00');
    expect([(await stored()).sequence, told().length, codes().length]).toEqual([3, 1, 1]);
    await said('FAILED');
    await said('EXPIRED');
    await said('COMPLETED', '0.00');
    expect([(await stored()).sequence, told().length, codes().length]).toEqual([4, 2, 2]);
  });
});

describe('decisions 5: when the rail says again that exactly the amount is paid', () => {
  test.each([
    ['FAILED', '0'],
    ['COMPLETED', '50000'],
  ] as const)('after %s %s, the reversal is cleared, with an alarm and a second event', async (status, amount) => {
    const { said, stored, told, item, codes } = await world();
    await said(status, amount);
    await said('COMPLETED', '150000.50');
    expect(await stored()).toEqual(
      expect.not.objectContaining({ reversedAt: expect.anything(), mismatchedAt: expect.anything() }),
    );
    for (const gone of ['reversedAt', 'settlementMismatch', 'mismatchedAt', 'mismatched']) {
      expect(item()).not.toHaveProperty(gone);
    }
    expect(told().at(-1)).toEqual({ ...heard, sequence: 4, reversedAt: null, remainingAmount: 150_000.5 });
    expect(codes()).toEqual(['COMPLETED_PAYIN_REVERSED', 'REVERSED_PAYIN_PAID_AGAIN']);
  });

  test('with more than that: it is no longer taken back, but is too much', async () => {
    const { said, stored, told, codes } = await world();
    await said('FAILED');
    await said('COMPLETED', '200000');
    expect(await stored()).toMatchObject({ settlementMismatch: { amount: '200000' }, mismatchedAt: AN_HOUR_LATER });
    expect(told().at(-1)).toMatchObject({ reversedAt: null, remainingAmount: 150_000.5 });
    expect(codes().slice(1)).toEqual(['REVERSED_PAYIN_PAID_AGAIN', 'PAYIN_SETTLEMENT_MISMATCH']);
  });

  test('too much that went back is cleared without an event', async () => {
    const { said, item, told } = await world();
    await said('COMPLETED', '200000');
    await said('COMPLETED');
    expect([item()?.['mismatched'], item()?.['settlementMismatch'], told()]).toEqual([undefined, undefined, []]);
  });
});

describe('decisions 5: only a look-up that began after the completion takes something back', () => {
  test('and the rail’s answer to it holds', async () => {
    const { settle, before, stored, rail } = await world();
    rail.payment = { ...rail.payment, status: 'FAILED' };
    await settle(PAYIN, { asked: before, payment: rail.payment });
    expect([(await stored()).reversedAt, rail.asked]).toEqual([AN_HOUR_LATER, 1]);
  });

  test('a notification and a sweep at once are one change, one event', async () => {
    const { settle, stored, rail, told } = await world();
    rail.payment = { ...rail.payment, amount: '50000' };
    const asked = await stored();
    await Promise.all([1, 2, 3].map(() => settle(PAYIN, { asked, payment: rail.payment })));
    expect([(await stored()).sequence, told().length]).toEqual([3, 1]);
  });

  test('an answer that is overtaken by the return of the money takes nothing back', async () => {
    const { settle, said, stored, told } = await world();
    const asked = await stored();
    await said('FAILED');
    await said('COMPLETED');
    await settle(PAYIN, { asked, payment: { reference: PAYIN, status: 'FAILED', ...ORDERED } });
    expect((await stored()).reversedAt).toBeUndefined();
    expect(told()).toHaveLength(2);
  });

  test('a reversal by an answer that came later than a newer one is looked up again a minute later', async () => {
    const { said, settle, stored, item } = await world();
    const asked = await stored();
    // The newer answer agrees with what is stored.
    await said('COMPLETED');
    await settle(PAYIN, { asked, payment: { reference: PAYIN, status: 'FAILED', ...ORDERED } });
    expect(item()?.['nextPollAt']).toBe('2026-08-01T13:01:00.000Z');
    await said('COMPLETED');
    expect((await stored()).reversedAt).toBeUndefined();
    expect(item()?.['nextPollAt']).toBe('2026-08-01T13:01:00.000Z');
  });

  test('a rail that changes its answer each hour is followed each time, and leaves nothing behind', async () => {
    const { said, stored, told, clock, item } = await world();
    const size = JSON.stringify(item()).length;
    for (let flip = 0; flip < 200; flip += 1) {
      await said(flip % 2 === 0 ? 'FAILED' : 'COMPLETED');
      clock.advance(HOUR);
    }
    expect(told()).toHaveLength(200);
    expect(await stored()).toMatchObject({ status: 'COMPLETED', sequence: 202 });
    expect((await stored()).reversedAt).toBeUndefined();
    expect(JSON.stringify(item()).length).toBeLessThan(size + 100);
  });
});
