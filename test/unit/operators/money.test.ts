import { describe, expect, test } from 'vitest';
import { pollDeposit } from '#shared/off-ramps/deposit-commands.ts';
import { dueShardOf } from '#shared/off-ramps/deposit-polls.ts';
import { listMismatched } from '#shared/operators/lists.ts';
import { readPayin } from '#shared/operators/pay-in-lookup.ts';
import type { Payin } from '#shared/pay-ins/pay-in.ts';
import { endPayin, pollPayin } from '#shared/pay-ins/pay-in-commands.ts';
import { duePayin, payinItem } from '#shared/pay-ins/pay-in-records.ts';
import { createPayinStore } from '#shared/pay-ins/pay-in-store.ts';
import type { Payment } from '#shared/pay-ins/rails/payment-rail.ts';
import { createSettlePayin } from '#shared/pay-ins/settle-pay-in.ts';
import { CLIENT, OPERATION, USER } from '#test/support/ids.ts';
import { logged } from '#test/support/logged.ts';
import { operatorsWorld } from '#test/support/operators-world.ts';
import { PAYIN, payinOf } from '#test/support/pay-ins-in-memory.ts';

const NOW = '2026-08-01T12:00:00.000Z';
const AN_HOUR_AGO = '2026-08-01T11:00:00.000Z';
const DEPOSIT = 'simulated:sim:POLYGON:1';

describe('decisions 11, putting right: poll-deposit', () => {
  const deposit = {
    ...{ custodianTransferId: DEPOSIT, network: 'POLYGON', txHash: '0x1', operationId: OPERATION, clientId: CLIENT },
    ...{ firstNotifiedAt: AN_HOUR_AGO, lastNotifiedAt: AN_HOUR_AGO },
  };

  test.each([
    ['one that is asked for later', { nextPollAt: '2026-08-02T12:00:00.000Z', dueAt: '2026-08-02T12:00:00.000Z' }],
    ['one that is not asked for any more', {}],
  ])('makes %s due now, and changes nothing else of it', async (_, polled) => {
    const { change, table } = operatorsWorld(NOW);
    table('deposits').put({ ...deposit, ...polled });
    const { status, body } = await change(pollDeposit, { custodianTransferId: ` ${DEPOSIT}` });
    expect([status, body]).toEqual([200, { custodianTransferId: DEPOSIT, operationId: OPERATION, nextPollAt: NOW }]);
    const due = { nextPollAt: NOW, dueAt: NOW, dueShard: dueShardOf(DEPOSIT) };
    expect(table('deposits').items()).toEqual([{ ...deposit, ...due }]);
  });

  test.each(['simulated:unknown', 'HASH#POLYGON#0x1'])(
    'of what is no deposit is 404: %s',
    async (custodianTransferId) => {
      const { change, table } = operatorsWorld(NOW);
      table('deposits').put({ custodianTransferId: 'HASH#POLYGON#0x1', network: 'POLYGON', txHash: '0x1' });
      const before = table('deposits').items();
      expect(await change(pollDeposit, { custodianTransferId })).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND' },
      });
      expect(table('deposits').items()).toEqual(before);
    },
  );
});

/** A pay-in, asked for later, and what the rail and operators do with it. */
function world(differences: Partial<Payin> = {}) {
  const made = operatorsWorld(NOW);
  const { table, dynamo, clock } = made;
  const payin = payinOf({ orderingSince: AN_HOUR_AGO, createdAt: AN_HOUR_AGO, ...differences });
  table('payins').put(payinItem(payin, '2026-08-01T13:00:00.000Z'));
  const payins = createPayinStore(dynamo, { payins: 'payins', events: 'events' }, clock, () => crypto.randomUUID());
  const settle = createSettlePayin(payins, clock);
  const lines = logged();
  return {
    ...made,
    payins,
    lines,
    said: (status: Payment['status'], amount = '150000.5') =>
      settle(PAYIN, { reference: PAYIN, status, amount, currency: 'COP' }),
    item: () => table('payins').find({ payinId: PAYIN, record: 'PAYIN' }),
    told: () =>
      table('events')
        .items()
        .map(({ body }) => JSON.parse(String(body)).data),
    listed: async () => (await made.look(listMismatched, {})).body.items.length,
    end: (paidAmount = '100') => made.change(endPayin, { payinId: PAYIN, paidAmount }),
  };
}

describe('decisions 11, putting right: poll-payin', () => {
  test('makes its poll due now, and changes nothing else of it', async () => {
    const { change, item } = world();
    const before = item();
    const { status, body } = await change(pollPayin, { payinId: PAYIN });
    expect([status, body]).toEqual([200, { payinId: PAYIN, nextPollAt: NOW }]);
    expect(item()).toEqual({ ...before, nextPollAt: NOW });
  });

  test('has one asked for that was not asked for any more', async () => {
    const { change, item, payins } = world({ status: 'EXPIRED' });
    await payins.pollAgainAt(payinOf(), undefined);
    await change(pollPayin, { payinId: PAYIN });
    expect(item()).toMatchObject(duePayin(PAYIN, NOW));
  });

  test('of one that the rail completes at the same moment is 409, and asks for nothing', async () => {
    const { change, item, beforeNextWrite, table } = world();
    const completed = payinItem(payinOf({ status: 'COMPLETED', sequence: 2 }), undefined);
    beforeNextWrite('payins', () => table('payins').put(completed));
    const { status, body } = await change(pollPayin, { payinId: PAYIN });
    expect([status, body.code]).toEqual([409, 'PAYIN_STATUS_CONFLICT']);
    expect(item()).not.toHaveProperty('nextPollAt');
  });

  test('of an unknown one is 404, and makes none', async () => {
    const { change, table } = world();
    const { status, body } = await change(pollPayin, { payinId: USER });
    expect([status, body.code]).toEqual([404, 'PAYIN_NOT_FOUND']);
    expect(table('payins').items()).toHaveLength(1);
  });
});

describe('decisions 5, ending a mismatch', () => {
  test('an open one has failed, with its event, and waits for nobody; the rail is asked on', async () => {
    const { end, item, told, listed, said, look } = world();
    await said('COMPLETED', '100');
    expect(await listed()).toBe(1);
    const settlementMismatch = { amount: '100', currency: 'COP', at: NOW };
    expect(await end()).toMatchObject({ status: 200, body: { payinId: PAYIN, status: 'FAILED', settlementMismatch } });
    expect(item()).toMatchObject({ status: 'FAILED', sequence: 3, settlementMismatch, mismatchEndedAt: NOW });
    expect(item()).toMatchObject(duePayin(PAYIN, '2026-08-01T13:00:00.000Z'));
    expect(item()).not.toHaveProperty('mismatched');
    const change = { payinId: PAYIN, userId: USER, status: 'FAILED', previousStatus: 'CASHININIT', sequence: 3 };
    expect([told(), await listed()]).toEqual([[change], 0]);
    expect((await look(readPayin, { payin: PAYIN })).body.next).toMatchObject({ who: 'NOBODY' });
  });

  test('one that has expired stays so, without an event', async () => {
    const { end, item, told, listed, said } = world({ status: 'EXPIRED' });
    await said('COMPLETED', '100');
    expect((await end()).body.status).toBe('EXPIRED');
    expect(item()).toMatchObject({ status: 'EXPIRED', sequence: 3, mismatchEndedAt: NOW });
    expect([told(), await listed()]).toEqual([[], 0]);
  });

  test('one that is ended stays as it is, however often it is ended, and whatever the rail repeats', async () => {
    const { end, item, said, listed, lines, clock } = world();
    await said('COMPLETED', '100');
    await end();
    const ended = item();
    clock.advance(60);
    expect((await end()).status).toBe(200);
    for (const status of ['PENDING', 'FAILED', 'EXPIRED'] as const) await said(status);
    await said('COMPLETED', '100');
    expect([item(), await listed()]).toEqual([ended, 0]);
    expect(lines.filter(({ level }) => level === 'error')).toHaveLength(1);
  });

  test('what was ordered still completes it', async () => {
    const { end, item, said, told } = world();
    await said('COMPLETED', '100');
    await end();
    await said('COMPLETED');
    expect(item()).toMatchObject({ status: 'COMPLETED', sequence: 4 });
    expect(told().map(({ status }) => status)).toEqual(['FAILED', 'COMPLETED']);
  });

  test('yet another amount waits for finance again, with an alarm', async () => {
    const { end, item, said, listed, lines } = world();
    await said('COMPLETED', '100');
    await end();
    await said('COMPLETED', '200');
    expect(item()).toMatchObject({ status: 'FAILED', settlementMismatch: { amount: '200' } });
    expect(item()).not.toHaveProperty('mismatchEndedAt');
    expect([await listed(), lines.filter(({ level }) => level === 'error')]).toMatchObject([1, [{}, {}]]);
    expect((await end('200')).status).toBe(200);
    expect(await listed()).toBe(0);
  });

  test('what the rail completes at the same moment is completed: it is read again, and refused', async () => {
    const { end, item, said, told, beforeNextWrite, table } = world();
    await said('COMPLETED', '100');
    const completed = payinItem({ ...payinOf({ status: 'COMPLETED', sequence: 3 }) }, undefined);
    beforeNextWrite('payins', () => table('payins').put(completed));
    const { status, body } = await end();
    expect([status, body.code]).toEqual([409, 'PAYIN_STATUS_CONFLICT']);
    expect([item(), told()]).toEqual([completed, []]);
  });

  test.each([
    ['is open', {}],
    ['is completed', { status: 'COMPLETED' }],
    ['has failed', { status: 'FAILED' }],
  ] as const)('one that %s without a mismatch is 409, and stays as it is', async (_, differences) => {
    const { end, item, told } = world(differences);
    const before = item();
    const { status, body } = await end();
    expect([status, body.code]).toEqual([409, 'PAYIN_STATUS_CONFLICT']);
    expect([item(), told()]).toEqual([before, []]);
  });

  test('another amount that came since then is not settled with it', async () => {
    const { end, item, said, told } = world();
    await said('COMPLETED', '100');
    await end('100.00');
    await said('COMPLETED', '50');
    const before = item();
    const { status, body } = await end('100');
    expect([status, body.code, body.detail]).toEqual([409, 'PAYIN_STATUS_CONFLICT', expect.stringContaining('50 COP')]);
    expect([item(), told().length]).toEqual([before, 1]);
    expect(before).not.toHaveProperty('mismatchEndedAt');
  });

  test.each(['', 'x100', '100x', '-100', '1e2', '100,00'])('an amount that is none (%j) is 422', async (paidAmount) => {
    const { end, item, said } = world();
    await said('COMPLETED', '100');
    const before = item();
    const { status, body } = await end(paidAmount);
    expect([status, body.errors]).toMatchObject([422, [{ path: 'body.arguments.paidAmount' }]]);
    expect(item()).toEqual(before);
  });

  test('an unknown one is 404', async () => {
    const { change } = world();
    expect(await change(endPayin, { payinId: USER, paidAmount: '1' })).toMatchObject({
      status: 404,
      body: { code: 'PAYIN_NOT_FOUND' },
    });
  });
});
