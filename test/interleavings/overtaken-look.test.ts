import { expect, test } from 'vitest';
import { tableShapes } from '#infra/constructs/tables.ts';
import type { CustodianTransfer } from '#shared/domain/deposit-match.ts';
import { duePollShards } from '#shared/dynamodb/deposit-polls.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CREATED_AT, HASH, offRamp, RULES, transfer, verification } from '#test/support/off-ramp.ts';
import { engine } from './dynamodb/engine.ts';
import { recordsIn } from './invariants/records.ts';
import { awsClients } from './kernel/aws.ts';
import { seeded } from './kernel/random.ts';
import { createService } from './world/service.ts';

test('a deposit that failed while a look credited it is polled once more, and told to be taken back', async () => {
  const tables = engine(tableShapes, { now: () => 0, ofIndexes: () => 0, isStale: () => false });
  const clock = fakeClock(CREATED_AT);
  const aws = awsClients();
  const messages: string[] = [];
  aws.use({
    dynamo: async (request) => tables.answer(request),
    stepFunctions: async () => ({ $metadata: {}, executionArn: undefined, startDate: undefined }),
    sqs: async ({ input }) => {
      if ('MessageBody' in input) messages.push(input.MessageBody ?? '');
      return { $metadata: {} };
    },
  });
  const look = Promise.withResolvers<readonly CustodianTransfer[]>();
  const answers = [look.promise];
  const service = createService({
    aws,
    clock,
    newId: seeded(1).id,
    findTransfers: () => answers.shift() ?? Promise.resolve([transfer({ state: 'FAILED' })]),
    networkRules: RULES,
    lateWindowSeconds: 1800,
  });
  const handled = () => {
    const Records = messages.splice(0).map((body) => ({ messageId: 'm', body, eventSourceARN: 'queue' }));
    return service.matchDeposit({ Records });
  };

  await service.create(offRamp());
  await service.submit(offRamp(), HASH);
  const looked = service.checkDeposit(verification());
  await service.notify(transfer());
  await handled();
  look.resolve([transfer()]);
  expect(await looked).toMatchObject({ outcome: 'DEPOSIT_VERIFIED' });
  clock.advance(600);
  await service.releaseDueDeposits(duePollShards);
  await handled();

  expect(recordsIn(tables).deposits).toMatchObject([{ isReversed: true, isInDueIndex: false }]);
});
