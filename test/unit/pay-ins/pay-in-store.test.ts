import { describe, expect, test } from 'vitest';
import { serviceEvent } from '#shared/events/service-event.ts';
import { createPayinRepository } from '#shared/pay-ins/pay-in-repository.ts';
import { WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CLIENT, USER } from '#test/support/ids.ts';
import { CREATED_AT } from '#test/support/off-ramp.ts';
import { PAYIN, payinOf } from '#test/support/pay-ins-in-memory.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';

const MINUTE_LATER = '2026-08-01T12:01:00.000Z';

const REVERSED = {
  ...{ settlementMismatch: undefined, reversedAt: MINUTE_LATER, wholeSince: undefined },
  ...{ moneyAt: MINUTE_LATER, mismatchedAt: MINUTE_LATER },
};

/** The stored pay-in of PSE, which was made at noon. */
async function world() {
  const { dynamo, table } = tablesInMemory();
  const payins = createPayinRepository(dynamo, { payins: 'payins', events: 'events' }, fakeClock(CREATED_AT));
  await payins.create(payinOf());
  const told = () =>
    table('events')
      .items()
      .map((item) => JSON.parse(serviceEvent.parse(item).body));
  const due = async (now: string, clientId = CLIENT) => {
    const found: string[] = [];
    for await (const id of payins.due(clientId, now)) found.push(id);
    return found;
  };
  return { ...payins, told, due, table };
}

describe('a new pay-in', () => {
  test('is put once, with its event: the same id again changes nothing', async () => {
    const { create, find, told } = await world();
    expect(await create(payinOf({ amount: '7' }))).toBe(false);
    expect(await find(PAYIN)).toEqual(payinOf());
    expect(told()).toMatchObject([
      {
        type: 'ramp.payin.status_changed',
        timestamp: CREATED_AT,
        data: { payinId: PAYIN, userId: USER, status: 'CASHININIT', previousStatus: null, sequence: 1 },
      },
    ]);
  });

  test('with an id of its own is put', async () => {
    const { create, find } = await world();
    const another = payinOf({ payinId: USER });
    expect(await create(another)).toBe(true);
    expect(await find(USER)).toEqual(another);
  });
});

describe('decisions 5: a status of a pay-in', () => {
  test('is written with its event, and with the time of the next poll', async () => {
    const { changeStatus, find, told, due, table } = await world();
    const after = await changeStatus(payinOf(), 'EXPIRED', MINUTE_LATER);
    // The index of the reports has completed pay-ins only.
    expect(table('payins').items()[0]).not.toHaveProperty('completedShard');
    expect(await find(PAYIN)).toEqual(after);
    expect(after).toMatchObject({
      status: 'EXPIRED',
      sequence: 2,
      statusHistory: [{ status: 'CASHININIT' }, { status: 'EXPIRED', at: MINUTE_LATER }],
    });
    expect(told().slice(1)).toMatchObject([
      { timestamp: MINUTE_LATER, data: { status: 'EXPIRED', previousStatus: 'CASHININIT', sequence: 2 } },
    ]);
    expect([await due('2026-08-01T13:00:59.999Z'), await due('2026-08-01T13:01:00.000Z')]).toEqual([[], [PAYIN]]);
  });
});

describe('a decision on an outdated pay-in', () => {
  test.each([
    ['a status', ({ changeStatus }) => changeStatus(payinOf(), 'FAILED', MINUTE_LATER)],
    ['a mismatch', ({ recordMismatch }) => recordMismatch(payinOf(), { amount: '1', currency: 'COP' }, CREATED_AT)],
    ['a reversal', ({ recordMoney }) => recordMoney(payinOf({ status: 'COMPLETED' }), REVERSED, MINUTE_LATER)],
    ['an order', ({ beginOrdering }) => beginOrdering(payinOf(), MINUTE_LATER)],
  ] as const satisfies [string, (payins: Awaited<ReturnType<typeof world>>) => Promise<unknown>][])(
    'is not written: %s',
    async (_, decided) => {
      const payins = await world();
      const written = await payins.beginOrdering(payinOf(), CREATED_AT);
      await expect(decided(payins)).rejects.toThrow(WriteConflict);
      expect(await payins.find(PAYIN)).toEqual(written);
      expect(payins.told()).toHaveLength(1);
    },
  );

  test('plans no poll', async () => {
    const { beginOrdering, pollAgainAt, putOff, findPolled, due } = await world();
    const seen = (await findPolled(PAYIN)) ?? payinOf();
    await beginOrdering(payinOf(), CREATED_AT);
    await pollAgainAt(payinOf(), '2026-08-01T14:00:00.000Z');
    expect(await putOff(seen, undefined)).toBe(false);
    expect(await due('2026-08-01T12:02:00.000Z')).toEqual([PAYIN]);
  });
});

test('the writes of an order and of a mismatch return the pay-in as it is stored', async () => {
  const { beginOrdering, recordMismatch, find } = await world();
  const ordered = await beginOrdering(payinOf(), MINUTE_LATER);
  expect(ordered).toEqual(payinOf({ orderingSince: MINUTE_LATER, sequence: 2 }));
  const paid = { amount: '1', currency: 'COP' };
  const settlementMismatch = { ...paid, at: MINUTE_LATER };
  const waiting = { ...ordered, settlementMismatch, moneyAt: MINUTE_LATER, mismatchedAt: MINUTE_LATER, sequence: 3 };
  expect(await recordMismatch(ordered, paid, MINUTE_LATER)).toEqual(waiting);
  expect(await find(PAYIN)).toEqual(waiting);
});

test('the rail’s first link and id of a payment stay', async () => {
  const { keepPayment, find } = await world();
  await keepPayment(PAYIN, { paymentUrl: 'https://pse.example/1' });
  await keepPayment(PAYIN, { paymentUrl: 'https://pse.example/2', railPaymentId: '7' });
  await keepPayment(PAYIN, { railPaymentId: '8' });
  expect(await find(PAYIN)).toEqual(payinOf({ paymentUrl: 'https://pse.example/1', railPaymentId: '7' }));
});

test('a planned poll is due at its time, and none is due without one', async () => {
  const { pollAgainAt, putOff, findPolled, due } = await world();
  await pollAgainAt(payinOf(), '2026-08-01T14:00:00.000Z');
  expect([await due('2026-08-01T13:59:59.999Z'), await due('2026-08-01T14:00:00.000Z')]).toEqual([[], [PAYIN]]);
  expect(await putOff((await findPolled(PAYIN)) ?? payinOf(), undefined)).toBe(true);
  expect(await due('9999')).toEqual([]);
});

test('a poll that was planned after the read is not put off, whether there was one before or none', async () => {
  const { pollAgainAt, putOff, findPolled, due } = await world();
  const seen = (await findPolled(PAYIN)) ?? payinOf();
  await pollAgainAt(seen, '2026-08-01T12:00:30.000Z');
  expect([await putOff(seen, undefined), await putOff(payinOf(), undefined)]).toEqual([false, false]);
  expect(await due('2026-08-01T12:00:30.000Z')).toEqual([PAYIN]);
  await putOff({ ...seen, nextPollAt: '2026-08-01T12:00:30.000Z' }, undefined);
  expect(await putOff(payinOf(), '2026-08-01T14:00:00.000Z')).toBe(true);
});

test('a client’s due pay-ins are listed with the longest due first, and none of another client', async () => {
  const { create, due } = await world();
  const ids = Array.from({ length: 60 }, (_, place) => `55555555-5555-4555-8555-${String(place).padStart(12, '0')}`);
  const another = '22222222-2222-4222-8222-222222222222';
  const isAnothers = (place: number) => place % 2 === 0;
  for (const [place, payinId] of ids.entries()) {
    const createdAt = `2026-08-01T11:${String(59 - place).padStart(2, '0')}:00.000Z`;
    await create(payinOf({ payinId, createdAt, ...(isAnothers(place) && { clientId: another }) }));
  }
  const anothers = ids.filter((_, place) => isAnothers(place));
  expect(await due(MINUTE_LATER, another)).toEqual(anothers.toReversed());
});
