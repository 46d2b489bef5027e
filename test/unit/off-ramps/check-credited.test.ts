import { describe, expect, test, vi } from 'vitest';
import { type CustodianTransfer, CustodianUnavailable } from '#shared/off-ramps/custodians/custodian.ts';
import { deposit, storedTransfer } from '#shared/off-ramps/model/deposit.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { detectionWorld, NOTIFIED } from '#test/support/detection-world.ts';
import { OPERATION } from '#test/support/ids.ts';
import { CREATED_AT, transfer } from '#test/support/off-ramp.ts';

const ID = NOTIFIED.custodianTransferId;
const DAY = 24 * 3600;

const NONE = { custodianTransferId: 'none', nextPollAt: '' };

/** A credited deposit, and the custodian's current answer about it. */
function credited(now: readonly CustodianTransfer[]) {
  const lines = captureLogs();
  const world = detectionWorld({ transfers: now });
  world.credit(OPERATION);
  const errors = () =>
    lines.filter(({ level }) => level === 'error').map(({ code, fields }) => [code, fields['state']]);
  return { world, lines, errors };
}

const failed = transfer({ state: 'FAILED', confirmations: 0 });
const held = transfer({ state: 'HELD' });
const unconfirmed = transfer({ state: 'UNCONFIRMED', confirmations: 0 });

describe('decisions 4, a credited deposit that is taken back: a deposit', () => {
  test.each([failed, held])(
    'that is $state is an alarm, and finance operations see it beside the unmatched ones',
    async (now) => {
      const { world, lines } = credited([now]);
      await world.notified();
      expect(world.kept(ID)).toMatchObject({
        operationId: OPERATION,
        unmatched: 'REVERSED',
        transfer: storedTransfer(now),
      });
      expect(world.kept(ID).unmatchedSince).toBe(world.clock.now().toISOString());
      const operation = {
        operationId: OPERATION,
        custodianTransferId: ID,
        txHash: NOTIFIED.txHash,
        state: now.state,
      };
      expect(lines).toEqual([{ level: 'error', code: 'CREDITED_DEPOSIT_REVERSED', fields: operation }]);
    },
  );

  test('that had failed when the rest of its credit was completed after a restore is an alarm at its next poll', async () => {
    const { world, errors } = credited([failed]);
    world.credit(OPERATION, failed);
    await world.notified();
    expect(errors()).toEqual([['CREDITED_DEPOSIT_REVERSED', 'FAILED']]);
  });

  test('that is still so raises no second alarm, but one that was held and has failed does', async () => {
    const { world, errors } = credited([held]);
    await world.notified();
    await world.notified();
    await world.pass(DAY);
    expect(errors()).toEqual([['CREDITED_DEPOSIT_REVERSED', 'HELD']]);
    world.custodian.transfers = [failed];
    await world.notified();
    await world.notified();
    expect(errors().slice(1)).toEqual([['CREDITED_DEPOSIT_REVERSED', 'FAILED']]);
  });

  test.each([held])(
    'that was $state and is confirmed again is cleared by itself, without a notification, and with an alarm',
    async (now) => {
      const { world, lines } = credited([now]);
      await world.notified();
      await world.pass(DAY);
      world.custodian.transfers = [transfer()];
      await world.pass(DAY);
      expect(world.kept(ID)).toMatchObject({ unmatched: undefined, unmatchedSince: undefined, nextPollAt: undefined });
      expect(world.kept(ID).transfer?.state).toBe('CONFIRMED');
      expect(lines.at(-1)).toMatchObject({ level: 'error', code: 'CREDITED_DEPOSIT_CONFIRMED_AGAIN' });
    },
  );

  test('that was written off and is confirmed again is no longer a loss; with another amount it stays one', async () => {
    const { world } = credited([held]);
    await world.notified();
    const settled = { outcome: 'WRITTEN_OFF', by: 'bea', confirmedBy: 'ada', at: CREATED_AT, reason: 'Gone' } as const;
    world.put({ ...deposit.parse(world.kept(ID)), dueAt: world.kept(ID).dueAt, settled, unmatchedSince: undefined });
    world.custodian.transfers = [transfer({ amount: '1' })];
    await world.pass(DAY);
    expect(world.kept(ID)).toMatchObject({ settled, unmatched: 'REVERSED', unmatchedSince: undefined });
    world.custodian.transfers = [transfer()];
    await world.notified();
    expect([world.kept(ID).settled, world.kept(ID).unmatched]).toEqual([undefined, undefined]);
  });

  test('decisions 12, searching: that its custodian, asked by id, calls gone is an alarm, and is polled on', async () => {
    const { world, errors } = credited([transfer()]);
    await world.notified();
    world.custodian.transfers = [];
    world.custodian.byId = (seen) => seen && { ...seen, state: 'GONE' };
    await world.pass(3600);
    expect(errors()).toEqual([['CREDITED_DEPOSIT_REVERSED', 'GONE']]);
    expect(world.kept(ID)).toMatchObject({ operationId: OPERATION, unmatched: 'REVERSED' });
    world.custodian.byId = (seen) => seen && { ...seen, state: 'CONFIRMED' };
    await world.pass(30 * DAY);
    expect(world.kept(ID).unmatched).toBeUndefined();
  });

  test('that a reorganisation puts in a later block, days after its credit, is watched from that block on', async () => {
    const { world, errors } = credited([]);
    await world.notified();
    await world.pass(3 * DAY);
    world.custodian.transfers = [transfer({ createdAt: world.clock.now().toISOString() })];
    await world.pass(DAY / 2);
    expect(world.kept(ID).missingSince).toBeUndefined();
    world.custodian.transfers = [failed];
    await world.pass(DAY);
    expect(errors().at(-1)).toEqual(['CREDITED_DEPOSIT_REVERSED', 'FAILED']);
  });

  test('that failed is polled as long as any other, and later when the custodian tells of it again', async () => {
    const { world } = credited([failed]);
    await world.notified();
    await world.pass(5 * DAY);
    expect(world.asked).toHaveLength(4);
    world.custodian.transfers = [transfer()];
    await world.notified();
    expect(world.kept(ID).unmatched).toBeUndefined();
  });

  test('that is confirmed is polled at finality, after an hour and after a day, and left as it is', async () => {
    const { world, lines } = credited([transfer()]);
    await world.notified();
    await world.pass(30 * DAY);
    const seconds = world.asked.map(({ at }) => (Date.parse(at) - Date.parse(world.asked[0]?.at ?? '')) / 1000);
    expect(seconds).toEqual([0, 180, 3600, DAY]);
    expect(world.kept(ID)).toMatchObject({ operationId: OPERATION, nextPollAt: undefined });
    expect(lines).toEqual([]);
  });

  test.each([
    ['left out of an answer', []],
    ['not final any more', [unconfirmed]],
  ])('that is %s stays credited and is polled on; somebody is called once, after a day', async (_, now) => {
    const { world, errors } = credited(now);
    await world.notified();
    await world.pass(DAY - 60);
    expect(errors()).toEqual([]);
    expect(world.asked.length).toBeGreaterThan(20);
    await world.pass(120);
    expect(errors()).toEqual([['CREDITED_DEPOSIT_NOT_FOUND', undefined]]);
    await world.pass(60 * DAY);
    expect(errors()).toHaveLength(1);
    expect(world.kept(ID)).toMatchObject({ operationId: OPERATION, unmatched: undefined });
    expect(world.kept(ID).nextPollAt).toBeDefined();
    world.custodian.transfers = [transfer()];
    await world.pass(2 * DAY);
    expect(world.kept(ID)).not.toHaveProperty('missingSince');
    expect([errors().length, world.kept(ID).nextPollAt]).toEqual([1, undefined]);
  });

  test('that is not found for a day calls somebody, also when the poll dies once that is written', async () => {
    const { world, errors } = credited([]);
    await world.notified();
    await world.pass(DAY - 60);
    const { record } = world.polls;
    vi.spyOn(world.polls, 'record').mockImplementationOnce(async (...one) => {
      await record(...one);
      throw new Error('It is stopped.');
    });
    await world.pass(2 * DAY);
    expect(errors().map(([code]) => code)).toContain('CREDITED_DEPOSIT_NOT_FOUND');
    expect(world.kept(ID).isMissingCalled).toBe(true);
  });

  test('decisions 12, searching: that is missing for a day is not asked for before its custodian wants to be', async () => {
    const { world } = credited([]);
    await world.notified();
    await world.pass(DAY - 3600);
    world.custodian.fault = new CustodianUnavailable('429', { retryAfter: 2 * DAY });
    await world.notified();
    expect(world.kept(ID).nextPollAt).toBe('2026-08-03T11:00:00.000Z');
  });

  const other = transfer({ amount: '90' });

  test.each([
    ['at once', [other]],
    ['after a reorganisation', [{ ...other, state: 'UNCONFIRMED' }, other]],
    ['after it was held', [{ ...other, state: 'HELD' }, other]],
  ] as const)('that is final with another amount %s keeps what was credited, and calls somebody', async (_, said) => {
    const { world, errors } = credited([transfer()]);
    await world.notified();
    for (const now of said) {
      world.custodian.transfers = [now];
      await world.notified();
    }
    expect(errors().at(-1)).toEqual(['CREDITED_DEPOSIT_DIFFERS', undefined]);
    expect(world.kept(ID)).toMatchObject({ operationId: OPERATION, transfer: storedTransfer(transfer()) });
    expect(world.kept(ID).unmatched).toBe(said[0].state === 'HELD' ? 'REVERSED' : undefined);
    await world.pass(30 * DAY);
    expect(new Set(errors().map(([code]) => code)).has('CREDITED_DEPOSIT_NOT_FOUND')).toBe(false);
  });

  test('that is final as the same amount of another asset keeps what was credited, and calls somebody', async () => {
    const { world, errors } = credited([transfer()]);
    await world.notified();
    world.custodian.transfers = [transfer({ assetId: 'ETHEREUM:USDT' })];
    await world.notified();
    expect(errors()).toEqual([['CREDITED_DEPOSIT_DIFFERS', undefined]]);
    expect(world.kept(ID).transfer).toEqual(storedTransfer(transfer()));
  });

  test('that is final with another amount while it is owed is owed with that amount, which is what can be sent back', async () => {
    const { world, errors } = credited([other]);
    const times = { firstNotifiedAt: CREATED_AT, lastNotifiedAt: CREATED_AT, owedSince: CREATED_AT };
    world.put({ ...world.kept(ID), ...NOTIFIED, ...times, owed: 'OWED' });
    await world.notified();
    await world.notified();
    expect(errors()).toEqual([['CREDITED_DEPOSIT_DIFFERS', undefined]]);
    expect(world.kept(ID)).toMatchObject({ owed: 'OWED', transfer: storedTransfer(other) });
  });

  test('that was found and not notified for ten minutes is reported once; one whose notification came is not', async () => {
    const { world, lines } = credited([transfer()]);
    await world.matchDeposit((await world.deposits.rememberFound('2027', NOTIFIED, world.clock.now())) ?? NONE);
    await world.pass(599);
    expect(lines).toEqual([]);
    await world.pass(5 * DAY);
    expect(lines.map(({ level, code }) => [level, code])).toEqual([['warn', 'FOUND_WITHOUT_NOTIFICATION']]);
    const other = credited([transfer()]);
    await other.world.matchDeposit(
      (await other.world.deposits.rememberFound('2027', NOTIFIED, other.world.clock.now())) ?? NONE,
    );
    await other.world.pass(300);
    await other.world.notified();
    await other.world.pass(5 * DAY);
    expect(other.lines).toEqual([]);
  });

  test('for which the custodian does not answer stays as it is known until it does', async () => {
    const { world, errors } = credited([failed]);
    world.custodian.fault = new CustodianUnavailable('timeout');
    await world.notified();
    expect(errors()).toEqual([]);
    world.custodian.fault = undefined;
    await world.pass(DAY);
    expect(errors()).toEqual([['CREDITED_DEPOSIT_REVERSED', 'FAILED']]);
  });

  test('for which the custodian does not answer after two weeks is polled until it does', async () => {
    const { world, errors } = credited([failed]);
    world.custodian.fault = new CustodianUnavailable('timeout');
    await world.notified();
    await world.pass(14 * DAY + 3600);
    expect(errors()).toEqual([['CREDITED_DEPOSIT_NOT_FOUND', undefined]]);
    world.custodian.fault = undefined;
    await world.pass(2 * DAY);
    expect(errors().slice(1)).toEqual([['CREDITED_DEPOSIT_REVERSED', 'FAILED']]);
  });

  test.each([
    ['creditedAt', 'lastNotifiedAt'],
    ['lastNotifiedAt', 'creditedAt'],
  ])('is watched for two weeks from the later of two times: %s, not %s', async (later, earlier) => {
    const { world } = credited([held]);
    const poll = await world.stored();
    const { custodianTransferId, network, txHash } = NOTIFIED;
    const now = world.clock.now().toISOString();
    const times = { firstNotifiedAt: now, lastNotifiedAt: now, [earlier]: now, [later]: '2026-08-11T12:00:00.000Z' };
    world.put({ ...poll, custodianTransferId, network, txHash, operationId: OPERATION, ...times });
    world.clock.advance(23 * DAY);
    await world.matchDeposit(poll);
    // Within this time the waits grow with the age of the deposit; later the next poll would be in a day.
    expect(world.kept(ID).nextPollAt).toBe('2026-08-25T01:00:00.000Z');
  });

  test('that is notified while it is credited keeps the poll that was planned', async () => {
    const { world, errors } = credited([failed]);
    const poll = await world.stored();
    world.credit(OPERATION);
    await world.matchDeposit(poll);
    expect(errors()).toEqual([['CREDITED_DEPOSIT_REVERSED', 'FAILED']]);
  });
});
