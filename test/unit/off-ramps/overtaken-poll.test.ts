import { expect, test, vi } from 'vitest';
import { checkDeposit } from '#functions/off-ramps/check-deposit/check-deposit.ts';
import { matchDeposit } from '#functions/off-ramps/match-deposit/match-deposit.ts';
import { releaseDueDeposits } from '#functions/off-ramps/release-due-deposits/release-due-deposits.ts';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import { createFindAddressOwners } from '#shared/off-ramps/store/address-owners.ts';
import { createMovements } from '#shared/off-ramps/store/claims.ts';
import { createDepositPolls, type DepositPoll } from '#shared/off-ramps/store/deposit-polls.ts';
import { createDepositRepository, createRememberSeen } from '#shared/off-ramps/store/deposit-repository.ts';
import { NOTIFIED } from '#test/support/detection-world.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CLIENT } from '#test/support/ids.ts';
import { CREATED_AT, HASH, offRamp, RULES, transfer } from '#test/support/off-ramp.ts';
import { offRampsInMemory, TABLES } from '#test/support/off-ramps-in-memory.ts';

/** Milliseconds: the window of a hash that is submitted late. */
const LATE_WINDOW = 120_000;

/** Attempts and deposits in the same tables, and a custodian with these answers in turn, the last one repeated. */
function createWorld(answers: Promise<readonly CustodianTransfer[]>[]) {
  const clock = fakeClock(CREATED_AT);
  const { dynamo, table, ...offRamps } = offRampsInMemory(clock);
  const messages: DepositPoll[] = [];
  const searchedSince: string[] = [];
  const common = {
    ...offRamps,
    deposits: createDepositRepository(dynamo, TABLES.deposits, clock),
    polls: createDepositPolls(dynamo, TABLES.deposits, clock),
    async findTransfers({ since }: { readonly since: string }) {
      searchedSince.push(since);
      return (await (answers.length > 1 ? answers.shift() : answers[0])) ?? [];
    },
    findTransfer: async () => undefined,
    async sendPoll(message: DepositPoll) {
      messages.push(message);
    },
    findAddressOwners: createFindAddressOwners(dynamo, TABLES.hashes),
    rememberSeen: createRememberSeen(dynamo, TABLES.deposits, clock),
    countDepositsOf: async () => 0,
    minimumDeposits: {},
    decimals: {},
    movements: createMovements(dynamo, TABLES.hashes),
    fundedBy: (txHash: string) => offRamps.findClaimant('FUNDED', txHash),
    eventsTable: TABLES.events,
    networkRules: RULES,
    clock,
  };
  const match = matchDeposit(common);
  const check = checkDeposit(common);
  const release = releaseDueDeposits({ ...common, listClientIds: async () => [CLIENT] });
  return {
    clock,
    searchedSince,
    create: () => offRamps.create(offRamp()),
    /** Polls once for an attempt that begins now. */
    async checked() {
      const windowEndsAt = new Date(clock.now().getTime() + LATE_WINDOW).toISOString();
      return check(await offRamps.beginAttempt(await offRamps.kept(), { txHash: HASH, windowEndsAt }));
    },
    notified: async () => match(await common.deposits.remember(NOTIFIED, clock.now())),
    /** Makes the polls that are due, or whose message was sent. */
    async polled() {
      await release();
      for (const message of messages.splice(0)) await match(message);
    },
    deposits: () => table(TABLES.deposits).items(),
  };
}

test('a deposit that failed while a poll credited it is polled once more, and told to be taken back', async () => {
  const answer = Promise.withResolvers<readonly CustodianTransfer[]>();
  const failed = Promise.resolve([transfer({ state: 'FAILED' })]);
  const { clock, create, checked, notified, polled, deposits, searchedSince } = createWorld([answer.promise, failed]);

  await create();
  const check = checked();
  await vi.waitUntil(() => searchedSince.length === 1);
  await notified();
  answer.resolve([transfer()]);
  expect(await check).toMatchObject({ outcome: 'DEPOSIT_VERIFIED' });
  clock.advance(600);
  await polled();

  expect(deposits()).toMatchObject([{ unmatched: 'REVERSED' }]);
});

test('a deposit that a poll credits weeks after its notification is watched when it is held again', async () => {
  const held = Promise.resolve([transfer({ state: 'HELD' })]);
  const final = Promise.resolve([transfer()]);
  const { clock, create, checked, notified, polled, deposits } = createWorld([held, held, final, held, final]);

  await create();
  await notified();
  clock.advance(15 * 24 * 3600);
  await polled();
  expect(await checked()).toMatchObject({ outcome: 'DEPOSIT_VERIFIED' });
  clock.advance(24 * 3600);
  await polled();
  expect(deposits()).toMatchObject([{ unmatched: 'REVERSED', dueAt: expect.any(String) }]);
  clock.advance(24 * 3600);
  await polled();

  const [deposit] = deposits();
  expect(deposit).not.toHaveProperty('unmatched');
  expect(deposit).not.toHaveProperty('dueAt');
});

test('what a late poll credited is watched for as far back as the operation goes, where nothing was ever notified', async () => {
  const { clock, create, checked, polled, searchedSince } = createWorld([Promise.resolve([transfer()])]);
  await create();
  clock.advance(60 * 24 * 3600);
  expect(await checked()).toMatchObject({ outcome: 'DEPOSIT_VERIFIED' });
  clock.advance(600);
  await polled();

  const [ofCheck = '', ofPoll = ''] = searchedSince;
  expect(searchedSince).toHaveLength(2);
  expect(Date.parse(ofPoll)).toBeLessThanOrEqual(Date.parse(ofCheck));
});
