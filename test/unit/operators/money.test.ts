import { describe, expect, test } from 'vitest';
import {
  giveUpUnreadableContract,
  pollDepositContract,
  searchHashContract,
} from '#shared/off-ramps/contract/operator-commands.ts';
import { dueShardOf } from '#shared/off-ramps/store/deposit-polls.ts';
import { listUnreadableContract, readPayinContract } from '#shared/operators/lookups.ts';
import type { Payin } from '#shared/pay-ins/pay-in.ts';
import { endPayinContract, expirePayinContract, pollPayinContract } from '#shared/pay-ins/pay-in-commands.ts';
import { listMismatchedContract } from '#shared/pay-ins/pay-in-lookups.ts';
import { payinItem } from '#shared/pay-ins/pay-in-records.ts';
import { createPayinRepository } from '#shared/pay-ins/pay-in-repository.ts';
import type { Payment } from '#shared/pay-ins/rails/payment-rail.ts';
import { createSettlePayin } from '#shared/pay-ins/settle-pay-in.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { CLIENT, OPERATION, USER } from '#test/support/ids.ts';
import { operatorsWorld } from '#test/support/operators-world.ts';
import { PAYIN, payinOf } from '#test/support/pay-ins-in-memory.ts';

const NOW = '2026-08-01T12:00:00.000Z';
const AN_HOUR_AGO = '2026-08-01T11:00:00.000Z';
const DEPOSIT = 'simulated:sim:POLYGON:1';
const MISMATCH = { amount: '100', currency: 'COP', at: AN_HOUR_AGO };

describe('decisions 11, putting right: poll-deposit', () => {
  const deposit = {
    ...{ custodianTransferId: DEPOSIT, network: 'POLYGON', txHash: '0x1', operationId: OPERATION, clientId: CLIENT },
    ...{ firstNotifiedAt: AN_HOUR_AGO, lastNotifiedAt: AN_HOUR_AGO },
  };

  test.each([
    ['a poll that is planned for later', { nextPollAt: '2026-08-02T12:00:00.000Z', dueAt: '2026-08-02T12:00:00.000Z' }],
    ['a poll of a deposit that is no longer polled', {}],
  ])('makes %s due now, and changes nothing else of it', async (_, polled) => {
    const { change, table } = operatorsWorld(NOW);
    table('deposits').put({ ...deposit, ...polled });
    const { status, body } = await change(pollDepositContract, { custodianTransferId: ` ${DEPOSIT}` });
    expect([status, body]).toEqual([200, { custodianTransferId: DEPOSIT, operationId: OPERATION, nextPollAt: NOW }]);
    const due = { nextPollAt: NOW, dueAt: NOW, dueShard: dueShardOf(DEPOSIT) };
    expect(table('deposits').items()).toEqual([{ ...deposit, ...due }]);
  });

  test.each(['simulated:unknown', 'HASH#POLYGON#0x1'])(
    'is 404 for anything that is no deposit: %s',
    async (custodianTransferId) => {
      const { change, table } = operatorsWorld(NOW);
      table('deposits').put({ custodianTransferId: 'HASH#POLYGON#0x1', network: 'POLYGON', txHash: '0x1' });
      const before = table('deposits').items();
      expect(await change(pollDepositContract, { custodianTransferId })).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND' },
      });
      expect(table('deposits').items()).toEqual(before);
    },
  );

  test.each<[string, object]>([
    ['a custodian', { custodianTransferId: 'gone:1' }],
    ['a network', { network: 'BSC' }],
  ])('is 409 for a deposit of %s that the settings do not have any more, and makes nothing due', async (_, of) => {
    const { change, table } = operatorsWorld(NOW);
    const kept = { ...deposit, ...of };
    table('deposits').put(kept);
    const { status, body } = await change(pollDepositContract, { custodianTransferId: kept.custodianTransferId });
    expect([status, body.detail]).toEqual([409, expect.stringContaining('back into the settings')]);
    expect(table('deposits').items()).toEqual([kept]);
  });

  test('decisions 12, boundary: is 404 for a deposit of which only the id is known, and makes nothing due', async () => {
    const { change, table } = operatorsWorld(NOW);
    const since = { unreadable: 'UNREADABLE', unreadableSince: AN_HOUR_AGO, unreadableFields: 'txHash' };
    table('deposits').put({ custodianTransferId: DEPOSIT, ...since });
    expect((await change(pollDepositContract, { custodianTransferId: DEPOSIT })).status).toBe(404);
    expect(table('deposits').items()).toEqual([{ custodianTransferId: DEPOSIT, ...since }]);
  });
});

test('decisions 11, putting right: search-hash is refused where no custodian can be asked, and says which can', async () => {
  const { change, table } = operatorsWorld(NOW);
  const txHash = `0x${'6a'.repeat(32)}`;
  const { status, body } = await change(searchHashContract, { network: 'BSC', txHash });
  expect([status, body.errors]).toMatchObject([422, [{ message: expect.stringContaining('ETHEREUM, POLYGON') }]]);
  expect(table('deposits').items()).toEqual([]);
  expect((await change(searchHashContract, { network: 'POLYGON', txHash })).body.nextPollAt).toBe(NOW);
});

describe('decisions 12, boundary: give-up-unreadable', () => {
  test('takes an id of which nothing can be read from the list, with who did it and why', async () => {
    const { change, look, table } = operatorsWorld(NOW);
    const since = { unreadable: 'UNREADABLE', unreadableSince: '2026-08-01T10:00:00.000Z', unreadableFields: 'txHash' };
    table('deposits').put({ custodianTransferId: DEPOSIT, ...since });
    const [row] = (await look(listUnreadableContract, {})).body.items;
    expect(row?.what).toContain(`give-up-unreadable ${DEPOSIT}`);
    expect(await change(giveUpUnreadableContract, { custodianTransferId: DEPOSIT })).toMatchObject({ status: 200 });
    expect((await look(listUnreadableContract, {})).body.items).toEqual([]);
    expect(table('deposits').items()).toEqual([{ custodianTransferId: DEPOSIT }]);
    expect(table('audit').items()).toContainEqual(expect.objectContaining({ command: 'give-up-unreadable' }));
    expect((await change(giveUpUnreadableContract, { custodianTransferId: DEPOSIT })).status).toBe(404);
  });

  test('is 404 for a hash that is searched for', async () => {
    const { change } = operatorsWorld(NOW);
    expect((await change(giveUpUnreadableContract, { custodianTransferId: 'HASH#POLYGON#0x1' })).status).toBe(404);
  });
});

/** A pay-in that was ordered an hour ago, and what the rail and operators do with it. */
function world(differences: Partial<Payin> = {}) {
  const made = operatorsWorld(NOW);
  const { table, dynamo, clock } = made;
  const payin = payinOf({ orderingSince: AN_HOUR_AGO, createdAt: AN_HOUR_AGO, ...differences });
  table('payins').put(payinItem(payin, '2026-08-01T13:00:00.000Z'));
  const payins = createPayinRepository(dynamo, { payins: 'payins', events: 'events' }, clock);
  const rail: { payment: Payment | undefined } = { payment: undefined };
  const settle = createSettlePayin(payins, async () => rail.payment, clock);
  const lines = captureLogs();
  return {
    ...made,
    payins,
    lines,
    /** The rail answers this from now on, and is polled once. */
    said: async (status: Payment['status'], amount = '150000.5', currency = 'COP', reference = PAYIN) => {
      rail.payment = { reference, status, amount, currency };
      return settle(reference, { asked: await payins.find(reference), payment: rail.payment });
    },
    item: () => table('payins').find({ payinId: PAYIN, record: 'PAYIN' }),
    told: () =>
      table('events')
        .items()
        .map(({ body }) => JSON.parse(String(body)).data),
    listed: async () => (await made.look(listMismatchedContract, {})).body.items.length,
    end: (paidAmount = '100', ending: object = { outcome: 'kept' }) =>
      made.change(endPayinContract, { payinId: PAYIN, paidAmount, ...ending }),
  };
}

describe('decisions 5, left open: expire-payin', () => {
  const longAgo = { createdAt: '2026-07-01T12:00:00.000Z', orderingSince: '2026-07-01T12:00:00.000Z' };
  const expire = (w: ReturnType<typeof world>) => w.change(expirePayinContract, { payinId: PAYIN });

  test('ends once a pay-in that its rail has called open for 30 days, tells its client, and a payment after all completes it', async () => {
    const w = world(longAgo);
    expect(await expire(w)).toMatchObject({ status: 200, body: { payinId: PAYIN, status: 'EXPIRED' } });
    expect((await expire(w)).body).toEqual({ payinId: PAYIN, status: 'EXPIRED' });
    expect(w.told()).toMatchObject([{ payinId: PAYIN, status: 'EXPIRED', sequence: 2 }]);
    // The rail still answers PENDING.
    expect(await w.said('PENDING')).toMatchObject({ status: 'EXPIRED' });
    expect(await w.said('COMPLETED')).toMatchObject({ status: 'COMPLETED' });
    expect((await expire(w)).body.detail).toContain('It is COMPLETED.');
  });

  test.each<[string, Partial<Payin>, string]>([
    ['is younger', { ...longAgo, createdAt: '2026-07-02T12:00:01.000Z' }, 'asked again at 2026-08-01T12:00:01.000Z'],
    ['can be paid for longer', { ...longAgo, expirationDate: '2026-07-03T12:00:00.000Z' }, 'asked again at 2026-08-02'],
    ['was paid with another amount', { ...longAgo, settlementMismatch: MISMATCH, mismatchedAt: NOW }, 'end-payin'],
    ['has failed', { ...longAgo, status: 'FAILED' }, 'It is FAILED.'],
  ])('is 409 while a pay-in %s', async (_, differences, why) => {
    const w = world(differences);
    const { status, body } = await expire(w);
    expect([status, body.code, w.told()]).toEqual([409, 'PAYIN_STATUS_CONFLICT', []]);
    expect(body.detail).toContain(why);
  });

  test('is 404 for an unknown pay-in', async () => {
    expect((await world().change(expirePayinContract, { payinId: USER })).body.code).toBe('PAYIN_NOT_FOUND');
  });
});

describe('decisions 11, putting right: poll-payin', () => {
  test('makes its poll due now, and changes nothing else of it', async () => {
    const { change, item, table } = world();
    const before = item();
    const { status, body } = await change(pollPayinContract, { payinId: PAYIN });
    expect([status, body]).toEqual([200, { payinId: PAYIN, nextPollAt: NOW }]);
    expect(item()).toEqual({ ...before, nextPollAt: NOW });
    const ids = { payinId: PAYIN, clientId: CLIENT, userId: USER };
    expect(table('audit').items()).toMatchObject([{}, { ids }]);
  });

  test('has the rail polled for a completed pay-in, too: its money may have been taken back', async () => {
    const { change, item, payins, said } = world();
    await said('COMPLETED');
    await payins.putOff((await payins.findPolled(PAYIN)) ?? payinOf(), undefined);
    expect(item()).not.toHaveProperty('nextPollAt');
    expect((await change(pollPayinContract, { payinId: PAYIN })).status).toBe(200);
    expect(item()).toMatchObject({ nextPollAt: NOW });
  });

  test('is 404 for an unknown pay-in, and makes none', async () => {
    const { change, table } = world();
    const { status, body } = await change(pollPayinContract, { payinId: USER });
    expect([status, body.code]).toEqual([404, 'PAYIN_NOT_FOUND']);
    expect(table('payins').items()).toHaveLength(1);
  });
});

const REFUND = { outcome: 'refunded', reference: 'TRF-42' };

describe('decisions 5, ending a mismatch: end-payin', () => {
  test('fails an open pay-in, with its event, and takes it off the list; the rail is still polled', async () => {
    const { end, item, told, listed, said, look } = world();
    await said('COMPLETED', '100');
    expect(await listed()).toBe(1);
    const settlementMismatch = { amount: '100', currency: 'COP', at: NOW };
    const ending = { amount: '100', currency: 'COP', ...REFUND };
    expect(await end('100', REFUND)).toMatchObject({
      status: 200,
      body: { payinId: PAYIN, status: 'FAILED', settlementMismatch, ...ending },
    });
    expect(item()).toMatchObject({ status: 'FAILED', sequence: 3, settlementMismatch, mismatchEnds: [ending] });
    expect(item()).toMatchObject({ nextPollAt: '2026-08-01T13:00:00.000Z' });
    for (const gone of ['mismatched', 'mismatchedAt']) expect(item()).not.toHaveProperty(gone);
    const change = { payinId: PAYIN, userId: USER, status: 'FAILED', previousStatus: 'CASHININIT', sequence: 3 };
    expect([told(), await listed()]).toEqual([[change], 0]);
    const { next } = (await look(readPayinContract, { payin: PAYIN })).body;
    expect(next).toMatchObject({ who: 'NOBODY', what: expect.stringContaining('refunded by TRF-42') });
  });

  test('leaves an expired pay-in EXPIRED, without an event', async () => {
    const { end, item, told, listed, said } = world({ status: 'EXPIRED' });
    await said('COMPLETED', '100');
    expect((await end()).body.status).toBe('EXPIRED');
    expect(item()).toMatchObject({ status: 'EXPIRED', sequence: 3, mismatchEnds: [{ outcome: 'kept', at: NOW }] });
    expect([told(), await listed()]).toEqual([[], 0]);
  });

  test.each([
    ['was taken back', 'FAILED', '150000.5', '0', { outcome: 'kept' }],
    ['was taken back in part', 'COMPLETED', '50000', '50000', REFUND],
    ['was paid too much', 'COMPLETED', '200000', '200000', REFUND],
  ] as const)(
    'leaves a pay-in COMPLETED that %s, and takes it off the list',
    async (_, status, amount, paid, ending) => {
      const { end, item, told, listed, said } = world();
      await said('COMPLETED');
      await said(status, amount);
      expect(await listed()).toBe(1);
      const [before, events] = [item(), told()];
      expect((await end(paid, ending)).body).toMatchObject({ status: 'COMPLETED', amount: paid, ...ending });
      const { mismatched: _place, mismatchedAt: _at, ...kept } = before ?? {};
      const mismatchEnds = [{ amount: paid, currency: 'COP', ...ending, at: NOW }];
      expect(item()).toEqual({ ...kept, mismatchEnds, sequence: 4 });
      expect([told(), await listed()]).toEqual([events, 0]);
    },
  );

  test('changes nothing of an ended mismatch, however often either it or the rail is repeated', async () => {
    const { end, item, said, listed, lines, clock } = world();
    await said('COMPLETED', '100');
    await end('100', REFUND);
    const ended = item();
    clock.advance(60);
    expect((await end('100.00', { ...REFUND, reference: ' TRF-42 ' })).status).toBe(200);
    for (const amount of ['100', '100.00', '0100.0']) await said('COMPLETED', amount);
    await said('PENDING');
    expect([item(), await listed()]).toEqual([ended, 0]);
    expect(lines.filter(({ level }) => level === 'error')).toHaveLength(1);
  });

  test('is 409 for a mismatch that was ended in another way, and says how', async () => {
    const { end, item, said } = world();
    await said('COMPLETED', '100');
    await end('100', REFUND);
    const ended = item();
    for (const another of [{ outcome: 'kept' }, { ...REFUND, reference: 'TRF-43' }]) {
      const { status, body } = await end('100', another);
      expect([status, body.detail]).toEqual([409, 'It is already ended: refunded TRF-42.']);
    }
    expect(item()).toEqual(ended);
  });

  test('takes a transfer for one pay-in only, however its reference is written', async () => {
    const { end, said, table, change, item } = world();
    table('payins').put(payinItem(payinOf({ payinId: USER, orderingSince: AN_HOUR_AGO }), AN_HOUR_AGO));
    await said('COMPLETED', '100', 'COP', USER);
    await said('COMPLETED', '100');
    expect((await end('100', REFUND)).status).toBe(200);
    const before = table('payins').find({ payinId: USER, record: 'PAYIN' });
    const again = { payinId: USER, paidAmount: '100', outcome: 'refunded', reference: 'trf-42' };
    const { status, body } = await change(endPayinContract, again);
    expect([status, body.code, body.detail]).toEqual([
      409,
      'PAYIN_STATUS_CONFLICT',
      `The transfer trf-42 has ended the pay-in ${PAYIN}: end-payin takes the reference of this one's own transfer.`,
    ]);
    expect(table('payins').find({ payinId: USER, record: 'PAYIN' })).toEqual(before);
    expect((await change(endPayinContract, { ...again, reference: 'TRF-43' })).status).toBe(200);
    // One transfer may end several mismatches of the same pay-in.
    await said('COMPLETED', '200');
    expect((await end('200', REFUND)).status).toBe(200);
    expect(item()?.['mismatchEnds']).toHaveLength(2);
  });

  test('does not stop the ordered amount from completing the pay-in, which is an alarm after a refund', async () => {
    const { end, item, said, told, lines } = world();
    await said('COMPLETED', '100');
    await end('100', REFUND);
    await said('COMPLETED');
    expect(item()).toMatchObject({ status: 'COMPLETED', sequence: 4 });
    expect(item()).not.toHaveProperty('settlementMismatch');
    expect(told().map(({ status }) => status)).toEqual(['FAILED', 'COMPLETED']);
    expect(lines.at(-1)).toMatchObject({ level: 'error', code: 'REFUNDED_PAYIN_COMPLETED' });
  });

  test.each([
    ['of a completed one, and was refunded', 'COMPLETED', '200000', REFUND, 'COMPLETED'],
    ['of a completed one, and was kept', 'COMPLETED', '200000', { outcome: 'kept' }, 'COMPLETED'],
    ['of one that was not completed', 'PENDING', '100', REFUND, 'FAILED'],
  ] as const)('calls somebody when the rail gives back what it has ended: %s', async (_, first, wrong, how, then) => {
    const { end, said, listed, lines } = world();
    await said(first);
    await said('COMPLETED', wrong);
    expect((await end(wrong, how)).status).toBe(200);
    await said(then);
    expect(lines.at(-1)).toMatchObject({ level: 'error', code: 'ENDED_MISMATCH_TAKEN_BACK' });
    expect(await listed()).toBe(0);
  });

  test('does not end yet another amount: it waits for finance, with an alarm and the end before', async () => {
    const { end, item, said, listed, lines, look } = world();
    await said('COMPLETED', '100');
    await end('100', REFUND);
    await said('COMPLETED', '200');
    expect(item()).toMatchObject({ status: 'FAILED', settlementMismatch: { amount: '200' }, mismatchedAt: NOW });
    expect([await listed(), lines.filter(({ level }) => level === 'error')]).toMatchObject([1, [{}, {}]]);
    const { next } = (await look(readPayinContract, { payin: PAYIN })).body;
    const before = 'Ended before: 100 COP refunded TRF-42 on 2026-08-01.';
    expect(next).toMatchObject({ who: 'FINANCE', what: expect.stringContaining(before) });
    expect((await end('200')).status).toBe(200);
    expect(await listed()).toBe(0);
  });

  test.each([
    ['taken back once more', 'FAILED', '150000.5'],
    ['of which more is gone', 'COMPLETED', '20000'],
  ] as const)(
    'money of a completed one that is %s after its end waits for finance again',
    async (_, status, amount) => {
      const { end, said, listed } = world();
      await said('COMPLETED');
      await said('COMPLETED', '50000');
      await end('50000', REFUND);
      expect(await listed()).toBe(0);
      await said(status, amount);
      expect(await listed()).toBe(1);
    },
  );

  test('is 409 for an amount that changes at the same moment', async () => {
    const { end, item, said, told, beforeNextWrite, payins } = world();
    await said('COMPLETED', '100');
    const seen = await payins.find(PAYIN);
    beforeNextWrite('payins', () => {
      if (seen !== undefined) void payins.recordMismatch(seen, { amount: '140', currency: 'COP' }, NOW);
    });
    const { status, body } = await end('100', REFUND);
    expect([status, body.detail]).toEqual([409, 'The rail has 140 COP: settle that first.']);
    expect(item()).toMatchObject({ status: 'CASHININIT', settlementMismatch: { amount: '140' }, mismatchedAt: NOW });
    expect(told()).toEqual([]);
  });

  test('is 409 for a pay-in that the rail completes at the same moment, and leaves it COMPLETED', async () => {
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
  ] as const)('is 409 for a pay-in that %s without a mismatch, which stays as it is', async (_, differences) => {
    const { end, item, told } = world(differences);
    const before = item();
    const { status, body } = await end('150000.5');
    expect([status, body.code]).toEqual([409, 'PAYIN_STATUS_CONFLICT']);
    expect(body.detail).toContain('no other amount than the ordered one');
    expect([item(), told()]).toEqual([before, []]);
  });

  test('is 409 for a pay-in that the rail has ended without money: there is nothing to give back', async () => {
    const { end, said, listed, look } = world();
    await said('COMPLETED', '100000');
    await said('FAILED', '100000');
    expect([(await end('100000', REFUND)).status, await listed()]).toEqual([409, 0]);
    expect((await look(readPayinContract, { payin: PAYIN })).body.next).toMatchObject({ who: 'NOBODY' });
  });

  test('treats the same number in another currency as another amount', async () => {
    const { end, said } = world();
    await said('COMPLETED', '100', 'USD');
    expect((await end('100')).body.detail).toContain('100 USD');
    expect((await end('100', { outcome: 'kept', currency: 'USD' })).status).toBe(200);
  });

  test.each(['', 'x100', '100x', '-100', '1e2', '100,00'])(
    'is 422 for an amount that is none: %j',
    async (paidAmount) => {
      const { end, item, said } = world();
      await said('COMPLETED', '100');
      const before = item();
      const { status, body } = await end(paidAmount);
      expect([status, body.errors]).toMatchObject([422, [{ path: 'body.arguments.paidAmount' }]]);
      expect(item()).toEqual(before);
    },
  );

  test('refunds nothing where the rail has taken all of it back', async () => {
    const { end, item } = world();
    const before = item();
    const { status, body } = await end('0.00', REFUND);
    expect([status, body.errors]).toMatchObject([422, [{ path: 'body.arguments.outcome', code: 'NOT_ALLOWED' }]]);
    expect(item()).toEqual(before);
  });

  test.each([
    [{ outcome: 'refunded' }, 'reference', 'REQUIRED'],
    [{ outcome: 'refunded', reference: ' ' }, 'reference', 'INVALID_FORMAT'],
    [{ outcome: 'refunded', reference: 'x'.repeat(101) }, 'reference', 'INVALID_FORMAT'],
    [{ outcome: 'kept', reference: 'TRF-42' }, 'reference', 'NOT_ALLOWED'],
    [{ outcome: 'lost' }, 'outcome', 'NOT_ALLOWED'],
    [{}, 'outcome', 'REQUIRED'],
  ])('is 422 if it does not say what happened to the money: %j', async (ending, field, code) => {
    const { end, item, said } = world();
    await said('COMPLETED', '100');
    const before = item();
    const { status, body } = await end('100', ending);
    expect([status, body.errors]).toMatchObject([422, [{ path: `body.arguments.${field}`, code }]]);
    expect(item()).toEqual(before);
  });

  test('is 404 for an unknown pay-in', async () => {
    const { change } = world();
    expect(await change(endPayinContract, { payinId: USER, paidAmount: '1', outcome: 'kept' })).toMatchObject({
      status: 404,
      body: { code: 'PAYIN_NOT_FOUND' },
    });
  });
});
