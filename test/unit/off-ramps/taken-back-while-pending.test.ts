import { expect, test } from 'vitest';
import { matchDeposit } from '#functions/off-ramps/match-deposit/match-deposit.ts';
import { listUnmatchedContract } from '#shared/off-ramps/contract/operator-lookups.ts';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import { createFindAddressOwners } from '#shared/off-ramps/store/address-owners.ts';
import { createMovements } from '#shared/off-ramps/store/claims.ts';
import { createCountDepositsOf } from '#shared/off-ramps/store/deposit-lists.ts';
import { createDepositPolls } from '#shared/off-ramps/store/deposit-polls.ts';
import { createDepositRepository } from '#shared/off-ramps/store/deposit-repository.ts';
import { createOffRampRepository } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { createCreditDeposit } from '#shared/off-ramps/transitions/credit-deposit.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { OPERATION } from '#test/support/ids.ts';
import { RULES, transfer } from '#test/support/off-ramp.ts';
import { payoutEventsWorld } from '#test/support/payout-events-world.ts';

const ID = 'transfer-1';

/** An off-ramp that is credited but not paid out, while the custodian's answer about its deposit has changed. */
async function pending() {
  const lines = captureLogs();
  const world = await payoutEventsWorld();
  const { dynamo, clock, table } = world;
  const tables = { operations: 'operations', hashes: 'hashes', deposits: 'deposits', events: 'events' };
  const deposits = createDepositRepository(dynamo, 'deposits', clock);
  return {
    ...world,
    calls: () => lines.filter(({ level }) => level === 'error').map(({ code }) => code),
    listed: async () => (await world.lookAt(listUnmatchedContract, {})).body.items,
    /** The events about the deposit that clients and payouts get. */
    told: () =>
      table('events')
        .items()
        .map(({ body }) => JSON.parse(String(body)))
        .filter(({ type }) => type === 'ramp.deposit.status_changed')
        .map(({ data }) => [data.sequence, data.status])
        .toSorted(),
    async custodianSays(now: CustodianTransfer): Promise<void> {
      const poll = await deposits.remember(now, clock.now());
      await matchDeposit({
        deposits,
        polls: createDepositPolls(dynamo, 'deposits', clock),
        sendPoll: async () => {},
        findTransfer: async () => undefined,
        findTransfers: async () => [now],
        findAddressOwners: createFindAddressOwners(dynamo, 'hashes'),
        operations: createOffRampRepository(dynamo, 'operations'),
        countDepositsOf: createCountDepositsOf(dynamo, 'deposits'),
        minimumDeposits: {},
        decimals: {},
        movements: createMovements(dynamo, tables.hashes),
        fundedBy: async () => undefined,
        eventsTable: 'events',
        creditDeposit: createCreditDeposit(dynamo, tables, clock, RULES),
        networkRules: RULES,
        clock,
      })(poll);
    },
  };
}

test.each(['FAILED', 'HELD'] as const)(
  'decisions 13: a deposit that is taken back (%s) while its off-ramp is PENDING calls somebody at once, is told to payouts, and is listed until it is there again',
  async (state) => {
    const world = await pending();
    await world.custodianSays(transfer({ state }));
    expect(world.calls()).toEqual(['CREDITED_DEPOSIT_REVERSED']);
    expect((await world.kept()).status).toBe('PENDING');
    expect(await world.listed()).toMatchObject([
      { custodianTransferId: ID, operationId: OPERATION, status: 'REVERSED', who: 'FINANCE' },
    ]);
    expect((await world.look()).next).toMatchObject({
      who: 'FINANCE',
      what: expect.stringContaining('stops the payout'),
    });
    expect([await world.owed(), await world.contradicted()]).toEqual([[], []]);
    await world.custodianSays(transfer());
    expect(world.calls()).toEqual(['CREDITED_DEPOSIT_REVERSED', 'CREDITED_DEPOSIT_CONFIRMED_AGAIN']);
    expect([await world.listed(), (await world.look()).next.who]).toEqual([[], 'PAYOUTS']);
    expect(world.told()).toEqual([
      [1, 'CREDITED'],
      [2, 'REVERSED'],
      [3, 'CREDITED'],
    ]);
  },
);

test('decisions 11: one that ends then is owed to nobody until its deposit is there again', async () => {
  const world = await pending();
  await world.custodianSays(transfer({ state: 'FAILED' }));
  await world.cancel();
  expect([(await world.listed()).length, await world.owed()]).toEqual([1, []]);
  await world.custodianSays(transfer());
  expect([await world.listed(), (await world.owed()).length]).toEqual([[], 1]);
});

test('decisions 13: one that is paid all the same is to be recovered, and is not owed', async () => {
  const world = await pending();
  await world.custodianSays(transfer({ state: 'FAILED' }));
  await world.pay('P-1');
  expect((await world.kept()).status).toBe('COMPLETED');
  expect(await world.listed()).toMatchObject([
    { who: 'FINANCE', what: expect.stringContaining('recovers the payout') },
  ]);
  expect(await world.owed()).toEqual([]);
});
