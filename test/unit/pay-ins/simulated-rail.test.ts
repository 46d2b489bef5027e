import { describe, expect, test } from 'vitest';
import type { Payin } from '#shared/pay-ins/pay-in.ts';
import { type Payment, RailRejected, RailUnavailable } from '#shared/pay-ins/rails/payment-rail.ts';
import { createSimulatedPayments } from '#shared/pay-ins/rails/simulated/payments.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { fakeDynamo } from '#test/support/fake-dynamo.ts';
import { CREATED_AT } from '#test/support/off-ramp.ts';
import { PAYIN, payinOf } from '#test/support/pay-ins-in-memory.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';

const LINK = `https://pse.example.com/pay/${PAYIN}`;
const NEQUI: Partial<Payin> = { paymentMethod: 'NEQUI', status: 'PENDING', bank: undefined, phone: '3107654321' };
const REJECTED: Partial<Payin> = { ...NEQUI, phone: '3990000502' };
const UNANSWERED: Partial<Payin> = { ...NEQUI, phone: '3990000503' };

const payer = { fullName: 'Ana Gómez', email: 'ana@example.com', documentType: 'CC', documentNumber: '1020304050' };
const SOUGHT = { reference: PAYIN, orderedAt: CREATED_AT };
const pending = { reference: PAYIN, status: 'PENDING', amount: '150000.5', currency: 'COP' };

function world() {
  const { dynamo, table } = tablesInMemory();
  const clock = fakeClock(CREATED_AT);
  const rail = createSimulatedPayments(dynamo, 'simulatedPayments', clock);
  const order = (differences: Partial<Payin> = {}) => rail.order({ payin: payinOf(differences), payer });
  return { clock, ...rail, order, kept: () => table('simulatedPayments').items() };
}

describe('the pay-in is the payment', () => {
  test('it is found by the id of the pay-in, pending, with what is to be paid', async () => {
    const { order, find } = world();
    expect(await order()).toMatchObject(pending);
    expect(await find(SOUGHT)).toMatchObject(pending);
  });

  test('what was not ordered is not found', async () => {
    expect(await world().find(SOUGHT)).toBeUndefined();
  });

  test('nobody’s phone, document or name is kept', async () => {
    const { order, kept } = world();
    await order(NEQUI);
    const text = JSON.stringify(kept());
    expect(text).toContain(PAYIN);
    for (const personal of ['3107654321', ...Object.values(payer)]) expect(text).not.toContain(personal);
  });
});

describe('interface 4.2: a reference is taken once, so that no retry makes a second payable payment', () => {
  test('ordered again after its end it stays as it ended', async () => {
    const { order, change, find } = world();
    await order();
    await change(PAYIN, { status: 'COMPLETED', amount: '150000.5' });
    expect(await order()).toMatchObject({ ...pending, status: 'COMPLETED' });
    expect(await find(SOUGHT)).toMatchObject({ status: 'COMPLETED' });
  });

  test('ordered twice at the same moment it is one payment', async () => {
    const { order, kept } = world();
    const [one, other] = await Promise.all([order(), order()]);
    expect(one).toEqual(other);
    expect(kept()).toHaveLength(1);
  });
});

describe('decisions 5: the link', () => {
  test('of PSE is made 300 ms after the payment, and stays the same', async () => {
    const { order, find, clock } = world();
    expect((await order()).link).toBeUndefined();
    clock.advance(0.299);
    expect((await find(SOUGHT))?.link).toBeUndefined();
    clock.advance(0.001);
    expect((await find(SOUGHT))?.link).toBe(LINK);
    clock.advance(3600);
    expect((await order()).link).toBe(LINK);
  });

  test.each(['NEQUI', 'DAVIPLATA'] as const)('of %s is never made', async (paymentMethod) => {
    const { order, find, clock } = world();
    await order({ ...NEQUI, paymentMethod });
    clock.advance(3600);
    expect((await find(SOUGHT))?.link).toBeUndefined();
  });
});

test('decisions 12, Reconciliation: all that was created in a time is listed to the end, page by page, in its state', async () => {
  const { clock, order, change, listPayments } = world();
  const idOf = (place: number) => `payin-${place}`;
  for (let place = 0; place < 230; place += 1) {
    await order({ payinId: idOf(place) });
    clock.advance(place === 150 ? 2 * 86_400 : 60);
  }
  await change(idOf(3), { status: 'COMPLETED', amount: '7' });
  const until = clock.now().toISOString();
  clock.advance(1);
  await order({ payinId: 'later' });
  const [found, pages]: [Payment[], number[]] = [[], []];
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const asked = { createdSince: CREATED_AT, until, ...(cursor !== undefined && { cursor }) };
    const page = await listPayments(asked);
    cursor = page.cursor;
    found.push(...page.payments);
    pages.push(page.payments.length);
  }
  expect(found.map(({ reference }) => reference)).toEqual(Array.from({ length: 230 }, (_, place) => idOf(place)));
  expect(pages).toEqual([100, 51, 79]);
  expect(found[3]).toMatchObject({ status: 'COMPLETED', amount: '7', paidAt: until });
});

describe('phone numbers on which it behaves badly', () => {
  test('one is refused: nothing is taken, so that nothing can be paid', async () => {
    const { order, find, change } = world();
    await expect(order(REJECTED)).rejects.toBeInstanceOf(RailRejected);
    expect(await find(SOUGHT)).toBeUndefined();
    expect(await change(PAYIN, { status: 'COMPLETED', amount: '150000.5' })).toBe(false);
  });

  test('one is taken without an answer, however often it is ordered: it is found and can be paid', async () => {
    const { order, find, change, kept } = world();
    await expect(order(UNANSWERED)).rejects.toBeInstanceOf(RailUnavailable);
    await expect(order(UNANSWERED)).rejects.toBeInstanceOf(RailUnavailable);
    expect(kept()).toHaveLength(1);
    expect(await change(PAYIN, { status: 'COMPLETED', amount: '150000.5' })).toBe(true);
    expect(await find(SOUGHT)).toMatchObject({ ...pending, status: 'COMPLETED' });
  });
});

describe('decisions 8: the end of a payment', () => {
  test.each(['COMPLETED', 'FAILED', 'EXPIRED'] as const)('%s is what the rail says from then on', async (status) => {
    const { order, change, find } = world();
    await order();
    expect(await change(PAYIN, { status, amount: '150000.5' })).toBe(true);
    expect(await find(SOUGHT)).toMatchObject({ ...pending, status });
  });

  test.each([
    ['at the time until which it may be paid', { expirationDate: '2026-08-01T07:10:00-05:00' }, 600],
    ['without one a week after the order', {}, 7 * 86_400],
  ])('EXPIRED comes by itself %s, and money that comes later counts', async (_, differences, seconds) => {
    const { order, change, find, listPayments, clock } = world();
    await order(differences);
    clock.advance(seconds - 1);
    expect(await find(SOUGHT)).toMatchObject(pending);
    clock.advance(1);
    expect(await find(SOUGHT)).toMatchObject({ ...pending, status: 'EXPIRED' });
    const page = await listPayments({ createdSince: CREATED_AT, until: clock.now().toISOString() });
    expect(page.payments).toMatchObject([{ status: 'EXPIRED' }]);
    await change(PAYIN, { status: 'COMPLETED', amount: '150000.5' });
    expect(await find(SOUGHT)).toMatchObject({ ...pending, status: 'COMPLETED' });
  });

  test('of a payment that it does not have makes none', async () => {
    const { change, kept } = world();
    expect(await change(PAYIN, { status: 'COMPLETED', amount: '150000.5' })).toBe(false);
    expect(kept()).toEqual([]);
  });
});

test('a table that does not answer is a rail that does not: what came of it is not known', async () => {
  const { client } = fakeDynamo(async () => {
    throw new Error('throttled');
  });
  const { find, order } = createSimulatedPayments(client, 'simulatedPayments', fakeClock(CREATED_AT));
  await expect(find(SOUGHT)).rejects.toBeInstanceOf(RailUnavailable);
  await expect(order({ payin: payinOf(), payer })).rejects.toBeInstanceOf(RailUnavailable);
});
