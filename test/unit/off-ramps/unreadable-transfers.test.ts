import { describe, expect, test } from 'vitest';
import { CustodianUnavailable } from '#shared/off-ramps/custodians/custodian.ts';
import { createGiveUpUnreadable } from '#shared/off-ramps/store/deposit-repository.ts';
import { createListUnreadable } from '#shared/off-ramps/store/finance-lists.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { detectionWorld, NOTIFIED } from '#test/support/detection-world.ts';
import { OPERATION } from '#test/support/ids.ts';
import { CREATED_AT, transfer } from '#test/support/off-ramp.ts';

const ID = NOTIFIED.custodianTransferId;
const MINUTE = 60;
const HOUR = 3600;
const DAY = 24 * HOUR;

/** A notified transfer, and the custodian's answer about it. */
function world(...transfers: readonly unknown[]) {
  const lines = captureLogs();
  const whole = detectionWorld({ operation: {}, transfers });
  return {
    ...whole,
    lines,
    alarms: () => lines.filter(({ level }) => level === 'error').map(({ code }) => code),
    listed: async () =>
      (await createListUnreadable(whole.dynamo, 'deposits', whole.clock)('0', 50)).items.map(
        ({ custodianTransferId }) => custodianTransferId,
      ),
  };
}

const wrongs: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['an amount as a number', { amount: 100.5 }],
  ['no creation', { createdAt: undefined }],
  ['confirmations as a text', { confirmations: '64' }],
  ['no sender', { fromAddress: null }],
  ['an unreadable hash', { txHash: '' }],
  ...['1e+3', '.5e3', '1000.', '+1000', '1,000.5', '-100'].map(
    (amount) => [`an amount of ${amount}`, { amount }] as const,
  ),
];

describe('decisions 12, boundary: a transfer with', () => {
  test.each(wrongs)(
    '%s is as good as no answer: one alarm, polled on, listed after an hour, credited once it can be read',
    async (_, wrong) => {
      const w = world({ ...transfer(), ...wrong });
      await w.notified();
      expect(w.kept(ID)).toMatchObject({ unreadable: 'UNREADABLE', unreadableSince: CREATED_AT });
      expect(w.kept(ID)).not.toHaveProperty('transfer');
      await w.pass(59 * MINUTE);
      expect(await w.listed()).toEqual([]);
      await w.pass(DAY);
      expect([await w.listed(), w.alarms(), w.confirmed]).toEqual([[ID], ['TRANSFER_UNREADABLE'], []]);
      expect(w.kept(ID)).toMatchObject({ unmatched: undefined });
      expect(w.kept(ID)).not.toHaveProperty('ignoredReason');
      w.custodian.transfers = [transfer()];
      await w.pass(DAY);
      expect([await w.listed(), w.alarms(), w.confirmed]).toEqual([[], ['TRANSFER_UNREADABLE'], [OPERATION]]);
    },
  );

  test('anything wrong for a year is polled for as long, with one alarm', async () => {
    const w = world({ ...transfer(), amount: 1 });
    await w.notified();
    await w.pass(363 * DAY);
    expect(w.kept(ID).nextPollAt).toBeDefined();
    expect([await w.listed(), w.alarms()]).toEqual([[ID], ['TRANSFER_UNREADABLE']]);
    await w.pass(3 * DAY);
    expect(w.kept(ID).nextPollAt).toBeUndefined();
    expect(await w.listed()).toEqual([ID]);
  });

  test('anything wrong stays what it is: one that was seen is still on its way, one that was credited still credited', async () => {
    const seen = world(transfer({ state: 'UNCONFIRMED' }));
    await seen.notified();
    const { arrivingAt } = seen.kept(ID);
    seen.custodian.transfers = [{ ...transfer(), confirmations: null }];
    await seen.pass(HOUR);
    expect(seen.kept(ID)).toMatchObject({ arrivingAt, transfer: { state: 'UNCONFIRMED' }, unreadable: 'UNREADABLE' });
    seen.custodian.transfers = [transfer({ state: 'HELD' })];
    await seen.pass(HOUR);
    expect([seen.kept(ID).transfer?.state, await seen.listed()]).toEqual(['HELD', []]);
    const credited = world({ ...transfer({ state: 'FAILED' }), amount: 1 });
    credited.credit(OPERATION);
    await credited.notified();
    expect(credited.kept(ID)).toMatchObject({
      operationId: OPERATION,
      creditedAt: expect.any(String),
      unmatched: undefined,
      unreadable: 'UNREADABLE',
    });
  });

  test('anything wrong stays listed, with its one alarm, while the custodian does not answer, also after two weeks', async () => {
    const w = world(transfer({ state: 'UNCONFIRMED' }));
    await w.notified();
    w.custodian.transfers = [{ ...transfer(), confirmations: null }];
    await w.pass(15 * DAY);
    w.custodian.fault = new CustodianUnavailable('timeout');
    await w.pass(DAY);
    w.custodian.fault = undefined;
    expect(await w.listed()).toEqual([ID]);
    await w.pass(DAY);
    expect(w.alarms()).toEqual(['TRANSFER_UNREADABLE']);
  });

  test('anything wrong is given up by a person: off the list and polled no more, until it is notified again', async () => {
    const w = world({ ...transfer(), amount: 1 });
    await w.notified();
    await w.pass(2 * HOUR);
    const giveUp = createGiveUpUnreadable(w.dynamo, 'deposits', w.clock);
    expect([await giveUp(ID), await giveUp(ID)]).toEqual([true, false]);
    const asked = w.asked.length;
    await w.pass(30 * DAY);
    expect([await w.listed(), w.asked.length]).toEqual([[], asked]);
    w.custodian.transfers = [transfer()];
    await w.notified();
    expect(w.confirmed).toEqual([OPERATION]);
  });

  test('anything wrong that was read before is given up only once nobody asks for it any more', async () => {
    const w = world(transfer({ state: 'UNCONFIRMED' }));
    await w.notified();
    w.custodian.transfers = [{ ...transfer(), confirmations: null }];
    await w.pass(2 * HOUR);
    const giveUp = createGiveUpUnreadable(w.dynamo, 'deposits', w.clock);
    expect([await giveUp(ID), (await w.listed()).length]).toEqual([false, 1]);
    await w.pass(366 * DAY);
    expect([await giveUp(ID), await w.listed()]).toEqual([true, []]);
  });

  test('anything wrong hides no other of its transaction, and is remembered beside it', async () => {
    const w = world(transfer(), { ...transfer({ custodianTransferId: 'transfer-2' }), txHash: 7 });
    await w.notified();
    expect(w.confirmed).toEqual([OPERATION]);
    await w.pass(2 * HOUR);
    expect(await w.listed()).toEqual(['transfer-2']);
  });

  test('no id of its own is listed too, and leaves the list when it has one', async () => {
    const w = world({ ...transfer(), custodianTransferId: null });
    await w.notified();
    await w.pass(2 * HOUR);
    expect(await w.listed()).toEqual([`without-id:ETHEREUM:${NOTIFIED.txHash}`]);
    w.custodian.transfers = [transfer()];
    await w.pass(DAY);
    expect([await w.listed(), w.confirmed]).toEqual([[], [OPERATION]]);
  });

  test('0 is dust, and 19 places of which the last are zeros are none too many', async () => {
    const dust = world(transfer({ amount: '0' }));
    await dust.notified();
    expect(dust.kept(ID).ignoredReason).toBe('BELOW_MINIMUM');
    const awaited = world(transfer({ amount: '100.5000000000000000000' }));
    await awaited.notified();
    expect(awaited.confirmed).toEqual([OPERATION]);
  });

  test('more places than any token has is for finance, however little it is, with an alarm', async () => {
    const w = world(transfer({ amount: '0.0000000000000000001' }));
    await w.notified();
    expect(w.kept(ID)).toMatchObject({ unmatched: 'UNMATCHED', reasons: ['WRONG_AMOUNT'] });
    expect(w.alarms()).toEqual(['DEPOSIT_UNMATCHED']);
  });
});

describe('decisions 12, notifications: every transfer that is found beside a notified one', () => {
  test('is handled as one, also when the notified id is not among them, of which nobody hears then', async () => {
    const w = world(
      transfer({ custodianTransferId: `${ID}:0` }),
      transfer({ custodianTransferId: `${ID}:1`, amount: '7' }),
    );
    await w.notified();
    await w.pass(HOUR);
    expect(w.confirmed).toEqual([OPERATION]);
    expect(w.kept(`${ID}:1`)).toMatchObject({ unmatched: 'UNMATCHED', isNotified: true });
    await w.pass(20 * DAY);
    expect(w.alarms()).toEqual(['DEPOSIT_UNMATCHED']);
    expect(w.kept(ID).nextPollAt).toBeUndefined();
  });

  test('is handled once per notification, however many find each other', async () => {
    const ids = Array.from({ length: 12 }, (_, number) => `${ID}:${number}`);
    const w = world(...ids.map((custodianTransferId) => transfer({ custodianTransferId, amount: '7' })));
    await w.notified();
    await w.pass(HOUR);
    const before = w.sent.filter(({ by }) => by === 'POLL').length;
    await w.pass(DAY);
    expect(ids.map((id) => w.kept(id).unmatched)).toEqual(ids.map(() => 'UNMATCHED'));
    expect(w.sent.filter(({ by, custodianTransferId }) => by === 'POLL' && custodianTransferId !== ID)).toHaveLength(
      12,
    );
    expect(w.sent.filter(({ by }) => by === 'POLL')).toHaveLength(before);
  });

  test('is asked for again when it has changed, and not for each that is told after it', async () => {
    const ids = Array.from({ length: 12 }, (_, number) => `${ID}:${number}`);
    const w = world(...ids.map((custodianTransferId) => transfer({ custodianTransferId, amount: '7' })));
    for (const custodianTransferId of ids) {
      await w.matchDeposit(await w.deposits.remember({ ...NOTIFIED, custodianTransferId }, w.clock.now()));
      await w.pass(1);
    }
    // The first poll finds the other transfers, each of which is notified later.
    expect(w.asked).toHaveLength(2 * ids.length - 1);
  });

  test('is remembered fifty a poll: anybody can send thousands in one transaction', async () => {
    const all = Array.from({ length: 60 }, (_, number) => transfer({ custodianTransferId: `${ID}:${number}` }));
    const w = world(...all);
    await w.notified();
    expect(w.sent.filter(({ delaySeconds }) => delaySeconds === 0)).toHaveLength(50);
  });

  test('is found once more by a new notification of the record that holds it', async () => {
    const movement = transfer({ custodianTransferId: `${ID}:0`, amount: '7' });
    const w = world(movement);
    await w.notified();
    await w.pass(HOUR);
    w.custodian.transfers = [{ ...movement, state: 'FAILED' }];
    await w.notified();
    await w.pass(HOUR);
    expect(w.kept(`${ID}:0`)).toMatchObject({ unmatched: undefined, transfer: { state: 'FAILED' } });
  });
});

test('decisions 12, boundary: one that only a question by its id finds, and that cannot be read, is listed and polled', async () => {
  const w = world();
  w.custodian.byId = () => ({ custodianTransferId: ID, unreadableFields: 'amount' });
  await w.notified();
  await w.pass(2 * HOUR);
  expect([await w.listed(), w.alarms()]).toEqual([[ID], ['TRANSFER_UNREADABLE']]);
  w.custodian.byId = () => transfer();
  await w.pass(HOUR);
  expect(w.confirmed).toEqual([OPERATION]);
});

test('decisions 12, searching: a deposit is not polled before the custodian wants to be asked again', async () => {
  const w = world(transfer());
  w.custodian.fault = new CustodianUnavailable('429', { retryAfter: 2 * HOUR });
  await w.notified();
  expect(w.kept(ID).nextPollAt).toBe('2026-08-01T14:00:00.000Z');
  w.custodian.fault = undefined;
  await w.pass(2 * HOUR);
  expect([w.asked.length, w.confirmed]).toEqual([2, [OPERATION]]);
});
