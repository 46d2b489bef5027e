import { describe, expect, test } from 'vitest';
import { sanitiseName } from '#shared/events/incoming-events.ts';
import { readPayout } from '#shared/off-ramps/model/incoming-off-ramp-status.ts';
import { createContradictionRepository } from '#shared/off-ramps/transitions/keep-contradiction.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { OPERATION } from '#test/support/ids.ts';
import { TABLES } from '#test/support/off-ramps-in-memory.ts';
import { payoutEventsWorld } from '#test/support/payout-events-world.ts';

describe('decisions 4: a payout is kept as it was reported', () => {
  test.each([
    [{ amount: '402000.50', currency: 'COP', reference: 'P-1', paidAt: '2026-08-01T07:01:00-05:00' }],
    [{ amount: 402000.5, currency: 'COP', reference: 'P-1', paidAt: '2026-08-01T12:01:00Z', further: {} }],
  ])('%j', (payout) => {
    expect(readPayout(payout)).toEqual({
      amount: '402000.5',
      currency: 'COP',
      reference: 'P-1',
      paidAt: '2026-08-01T12:01:00.000Z',
    });
  });

  test.each([undefined, null, 0, '', 'P-1', [], [{ reference: 'P-1' }], {}, { reference: ' ' }, { amount: '-1' }])(
    '%j says nothing',
    (payout) => {
      expect(readPayout(payout)).toBeUndefined();
    },
  );

  test.each([
    ...['1e3', '1,000', '+1', '1.', '0', '', 'x', '1'.repeat(31), 12_345_678_901_234_568, 1e300, -1, null, {}, true],
  ])('an amount that cannot be read exactly is left out, and nothing else: %j', (amount) => {
    expect(readPayout({ amount, reference: 'P-1' })).toEqual({ reference: 'P-1' });
  });

  test.each(['pesos colombianos', 'C', '<b>', 'COP\u{202e}', 170, null])('%j is no currency', (currency) => {
    expect(readPayout({ currency, reference: 'P-1' })).toEqual({ reference: 'P-1' });
  });

  test.each(['yesterday', '2026-08-01', 1_785_585_660, null])('%j is no time', (paidAt) => {
    expect(readPayout({ paidAt, reference: 'P-1' })).toEqual({ reference: 'P-1' });
  });

  test.each(['9999-12-31T23:59:59-05:00', '0000-01-01T00:00:00+05:00'])(
    'a time that is in no year of four digits in UTC is left out, and nothing else: %j',
    (paidAt) => {
      expect(readPayout({ paidAt, reference: 'P-1' })).toEqual({ reference: 'P-1' });
    },
  );

  test('a number is a reference', () => {
    expect(readPayout({ reference: 815 })).toEqual({ reference: '815' });
  });
});

describe('a name of another service', () => {
  test.each(['P-1', 'pago ñ 1', '=1+1', 'x'.repeat(255)])('%j is kept as it is', (name) => {
    expect(sanitiseName(name)).toBe(name);
  });

  test('is shortened if it is long, and two names stay different', () => {
    const long = 'x'.repeat(200_000);
    expect(sanitiseName(`${long}1`)?.length).toBeLessThanOrEqual(255);
    expect(sanitiseName(`${long}1`)).toBe(sanitiseName(`${long}1`));
    expect(sanitiseName(`${long}1`)).not.toBe(sanitiseName(`${long}2`));
    expect(sanitiseName('😀'.repeat(300))?.isWellFormed()).toBe(true);
  });

  test.each(['a\u{202e}b', 'a\nb', 'a\u{0}b', 'a\u{1b}[2Jb', 'a\u{2028}b', 'a\ud800b'])(
    '%j loses its invisible characters, and stays different from others',
    (name) => {
      expect(sanitiseName(name)).toMatch(/^a\u{fffd}[^\p{C}]*b~[-0-9a-f]{36}$/u);
      expect(sanitiseName(name)).not.toBe(sanitiseName(name.replace('b', 'c')));
    },
  );
});

test('decisions 4: a payout that cannot be read stops nothing', async () => {
  captureLogs();
  for (const payout of [null, 'x', { reference: { toString: 1 } }, { amount: [], paidAt: {} }]) {
    const world = await payoutEventsWorld();
    await world.tell({ status: 'COMPLETED', payout, eventId: { no: 'text' } });
    expect(await world.kept()).toMatchObject({ status: 'COMPLETED', endedBy: 'envelope:envelope-1' });
    expect(await world.kept()).not.toHaveProperty('payout');
  }
});

/** A number of 64 bits, which the bus passes on with all its digits. */
const written = (digits: string): unknown => Object(JSON).rawJSON(digits);
const [FIRST, NEXT] = ['9007199254740992', '9007199254740993'];

test('decisions 4: references are compared digit by digit, so that a second payout is a contradiction', async () => {
  captureLogs();
  const world = await payoutEventsWorld();
  await world.tell({ status: 'COMPLETED', payout: { reference: written(FIRST) } });
  await world.tell({
    status: 'COMPLETED',
    payout: { reference: written(NEXT), amount: written('12345678901234567.89') },
  });
  expect(await world.kept()).toMatchObject({
    payout: { reference: FIRST },
    contradictions: [{ status: 'COMPLETED', payout: { reference: NEXT, amount: '12345678901234567.89' } }],
  });
});

test('decisions 4: a payout that could not be read again is never written', async () => {
  captureLogs();
  const world = await payoutEventsWorld();
  await world.pay('P-1');
  await world.giveBack('P-1');
  const [store, seen] = [createContradictionRepository(world.dynamo, TABLES, world.clock), await world.kept()];
  const said = { operationId: OPERATION, eventId: 'other', source: 'payments.payouts', status: 'COMPLETED' } as const;
  const payout = { reference: 'P-2', paidAt: '+010000-01-01T04:59:59.000Z' };
  await expect(store.payAgain(seen, { ...said, payout })).rejects.toThrow();
  expect(await world.kept()).toEqual(seen);
});

test('decisions 4: the payout is in the event of the off-ramp', async () => {
  captureLogs();
  const world = await payoutEventsWorld();
  await world.tell({ status: 'COMPLETED', payout: { amount: '402000', currency: 'COP', reference: 'P-1' } });
  const bodies = world
    .table('events')
    .items()
    .map(({ body }) => JSON.parse(String(body)));
  expect(bodies).toContainEqual({
    type: 'ramp.operation.status_changed',
    timestamp: expect.any(String),
    data: expect.objectContaining({
      status: 'COMPLETED',
      payout: { amount: '402000', currency: 'COP', reference: 'P-1' },
    }),
  });
  expect(bodies.filter(({ data }) => 'payout' in data)).toHaveLength(1);
});

test.each(['FAILED', 'CANCELLED'])(
  'decisions 4: an off-ramp that is %s has no payout, whatever is reported',
  async (status) => {
    captureLogs();
    const world = await payoutEventsWorld();
    await world.tell({ status, payout: { reference: 'P-1' } });
    expect(await world.kept()).toMatchObject({ status });
    expect(await world.kept()).not.toHaveProperty('payout');
  },
);
