import { expect, test } from 'vitest';
import { tableShapes } from '#infra/platform/table-shapes.ts';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian-transfer.ts';
import { duePollShards } from '#shared/off-ramps/deposit-polls.ts';
import { engine } from '#test/simulation/aws/dynamodb/engine.ts';
import { awsClients } from '#test/simulation/kernel/aws.ts';
import { seeded } from '#test/simulation/kernel/random.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CLIENT } from '#test/support/ids.ts';
import { CREATED_AT, HASH, offRamp, transfer, verification } from '#test/support/off-ramp.ts';
import { recordsIn } from './invariants/records.ts';
import { putApprovedClients } from './world/approved-clients.ts';
import { createService } from './world/service.ts';
import { LATE_WINDOW } from './world/settings.ts';

/** A service in memory, whose custodian gives one answer after another, and the last one from then on. */
function createWorld(answers: Promise<readonly CustodianTransfer[]>[]) {
  const tables = engine(tableShapes, { now: () => 0, ofIndexes: () => 0, isStale: () => false });
  putApprovedClients(tables, [CLIENT]);
  const clock = fakeClock(CREATED_AT);
  const aws = awsClients();
  const messages: string[] = [];
  const searchedSince: string[] = [];
  aws.use({
    dynamo: async (request) => tables.answer(request),
    stepFunctions: async () => ({ $metadata: {}, executionArn: undefined, startDate: undefined }),
    sqs: async ({ input }) => {
      if ('MessageBody' in input) messages.push(input.MessageBody ?? '');
      return { $metadata: {} };
    },
  });
  const service = createService({
    aws,
    clock,
    newId: seeded(1).id,
    findTransfers: async ({ since }) => {
      searchedSince.push(since);
      return (await (answers.length > 1 ? answers.shift() : answers[0])) ?? [];
    },
  });
  const handled = () => {
    const Records = messages.splice(0).map((body) => ({ messageId: 'm', body, eventSourceARN: 'queue' }));
    return service.matchDeposit({ Records });
  };
  return { tables, clock, service, handled, searchedSince };
}

/** What is verified of a hash that was submitted after its operation's window. */
const lateVerification = (startsAt: Date) =>
  verification({
    windowStartsAt: startsAt.toISOString(),
    windowEndsAt: new Date(startsAt.getTime() + LATE_WINDOW * 1000).toISOString(),
  });

test('a deposit that failed while a poll credited it is polled once more, and told to be taken back', async () => {
  const poll = Promise.withResolvers<readonly CustodianTransfer[]>();
  const { tables, clock, service, handled } = createWorld([
    poll.promise,
    Promise.resolve([transfer({ state: 'FAILED' })]),
  ]);

  await service.create(offRamp());
  await service.submit(offRamp(), HASH);
  const polled = service.checkDeposit(verification());
  await service.notify(transfer());
  await handled();
  poll.resolve([transfer()]);
  expect(await polled).toMatchObject({ outcome: 'DEPOSIT_VERIFIED' });
  clock.advance(600);
  await service.releaseDueDeposits(duePollShards);
  await handled();

  expect(recordsIn(tables).deposits).toMatchObject([{ isReversed: true, isInDueIndex: false }]);
});

test('a deposit that a poll credits weeks after its notification is watched when it is held again', async () => {
  const held = Promise.resolve([transfer({ state: 'HELD' })]);
  const final = Promise.resolve([transfer()]);
  const { tables, clock, service, handled } = createWorld([held, held, final, held, final]);
  const polled = async () => {
    await service.releaseDueDeposits(duePollShards);
    await handled();
  };

  await service.create(offRamp());
  await service.notify(transfer());
  await handled();
  clock.advance(15 * 24 * 3600);
  await polled();
  await service.submit(offRamp(), HASH);
  expect(await service.checkDeposit(lateVerification(clock.now()))).toMatchObject({ outcome: 'DEPOSIT_VERIFIED' });
  clock.advance(600);
  await polled();
  expect(recordsIn(tables).deposits).toMatchObject([{ isReversed: true, isInDueIndex: true }]);
  clock.advance(24 * 3600);
  await polled();

  expect(recordsIn(tables).deposits).toMatchObject([{ isReversed: false, isInDueIndex: false }]);
});

test('what a late poll credited is watched for as far back as the operation goes, where nothing was ever notified', async () => {
  const { clock, service, handled, searchedSince } = createWorld([Promise.resolve([transfer()])]);
  await service.create(offRamp());
  clock.advance(60 * 24 * 3600);
  await service.submit(offRamp(), HASH);
  expect(await service.checkDeposit(lateVerification(clock.now()))).toMatchObject({ outcome: 'DEPOSIT_VERIFIED' });
  clock.advance(600);
  await service.releaseDueDeposits(duePollShards);
  await handled();

  const [ofCheck = '', ofPoll = ''] = searchedSince;
  expect(searchedSince).toHaveLength(2);
  expect(Date.parse(ofPoll)).toBeLessThanOrEqual(Date.parse(ofCheck));
});
