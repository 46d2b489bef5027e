import { describe, expect, test } from 'vitest';
import { CustodianUnavailable } from '#shared/off-ramps/custodians/custodian.ts';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian-transfer.ts';
import { detectionWorld, NOTIFIED } from '#test/support/detection-world.ts';
import { OPERATION } from '#test/support/ids.ts';
import { logged } from '#test/support/logged.ts';
import { transfer } from '#test/support/off-ramp.ts';

const ID = NOTIFIED.custodianTransferId;
const DAY = 24 * 3600;

/** A deposit that is credited, and of which the custodian says now what is given. */
function credited(now: readonly CustodianTransfer[]) {
  const lines = logged();
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
  test.each([failed, held, unconfirmed])(
    'that is $state is an alarm, and finance operations see it beside the unmatched ones',
    async (now) => {
      const { world, lines } = credited([now]);
      await world.notified();
      expect(world.kept(ID)).toMatchObject({ creditedTo: OPERATION, unmatched: 'REVERSED', transfer: now });
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

  test('that is still so is no alarm again; that what was held has failed is one', async () => {
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

  test.each([held, unconfirmed])(
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

  test('that failed is polled no more, until the custodian tells of it again', async () => {
    const { world } = credited([failed]);
    await world.notified();
    await world.pass(DAY);
    expect(world.asked).toHaveLength(1);
    world.custodian.transfers = [transfer()];
    await world.notified();
    expect(world.kept(ID).unmatched).toBeUndefined();
  });

  test('that is confirmed is polled once and left as it is', async () => {
    const { world, lines } = credited([transfer({ confirmations: 3 })]);
    await world.notified();
    await world.pass(DAY);
    expect(world.asked).toHaveLength(1);
    expect(world.kept(ID)).toMatchObject({ creditedTo: OPERATION, nextPollAt: undefined });
    expect(lines).toEqual([]);
  });

  test('that an answer leaves out is polled again, and only after two weeks a person has to look', async () => {
    const { world, errors } = credited([]);
    await world.notified();
    await world.pass(13 * DAY);
    expect([errors(), world.kept(ID).unmatched]).toEqual([[], undefined]);
    await world.pass(DAY + 3600);
    expect(errors()).toEqual([['CREDITED_DEPOSIT_NOT_FOUND', undefined]]);
    expect(world.kept(ID)).toMatchObject({ nextPollAt: undefined });
    expect(world.kept(ID).unmatched).toBeUndefined();
  });

  test('of which the custodian does not answer stays as it is known, until it does', async () => {
    const { world, errors } = credited([failed]);
    world.custodian.fault = new CustodianUnavailable('timeout');
    await world.notified();
    expect(errors()).toEqual([]);
    world.custodian.fault = undefined;
    await world.pass(DAY);
    expect(errors()).toEqual([['CREDITED_DEPOSIT_REVERSED', 'FAILED']]);
  });

  test('of which the custodian does not answer after two weeks is asked for until it does', async () => {
    const { world, errors } = credited([failed]);
    world.custodian.fault = new CustodianUnavailable('timeout');
    await world.notified();
    await world.pass(14 * DAY + 3600);
    expect(errors()).toEqual([]);
    world.custodian.fault = undefined;
    await world.pass(3 * 3600);
    expect(errors()).toEqual([['CREDITED_DEPOSIT_REVERSED', 'FAILED']]);
  });

  test.each([
    ['creditedAt', 'lastNotifiedAt'],
    ['lastNotifiedAt', 'creditedAt'],
  ])('is watched for two weeks from the later of both times: %s, not %s', async (later, earlier) => {
    const { world } = credited([held]);
    const poll = await world.stored();
    const { custodianTransferId, network, txHash } = NOTIFIED;
    const now = world.clock.now().toISOString();
    const times = { firstNotifiedAt: now, lastNotifiedAt: now, [earlier]: now, [later]: '2026-08-11T12:00:00.000Z' };
    world.put({ ...poll, custodianTransferId, network, txHash, creditedTo: OPERATION, ...times });
    world.clock.advance(23 * DAY);
    await world.matchDeposit(poll);
    expect(world.kept(ID).nextPollAt).toBeDefined();
  });

  test('that was seen so before it was credited is an alarm all the same', async () => {
    const { world, errors } = credited([held]);
    const poll = await world.stored();
    world.put({
      ...world.kept(ID),
      ...NOTIFIED,
      ...poll,
      firstNotifiedAt: poll.nextPollAt,
      lastNotifiedAt: poll.nextPollAt,
      creditedTo: OPERATION,
      transfer: held,
    });
    await world.matchDeposit(poll);
    expect(errors()).toEqual([['CREDITED_DEPOSIT_REVERSED', 'HELD']]);
  });

  test('that is notified while it is credited keeps the poll that was planned', async () => {
    const { world, errors } = credited([failed]);
    const poll = await world.stored();
    world.credit(OPERATION);
    await world.matchDeposit(poll);
    expect(errors()).toEqual([['CREDITED_DEPOSIT_REVERSED', 'FAILED']]);
  });
});
