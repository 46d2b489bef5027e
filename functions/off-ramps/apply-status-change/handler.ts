import { createFindReturningDeposits } from '#shared/off-ramps/store/deposit-lists.ts';
import { createOffRampRepository } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { createEndOperation } from '#shared/off-ramps/transitions/end-operation.ts';
import { createContradictionRepository } from '#shared/off-ramps/transitions/keep-contradiction.ts';
import { type AwsClients, NIL_UUID, warmUp } from '#shared/platform/aws/aws-clients.ts';
import { handleEachMessage } from '#shared/platform/aws/messages.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment, setting } from '#shared/platform/environment.ts';
import { applyStatusChange } from './apply-status-change.ts';
import { changeOperation } from './change-operation.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  const tables = environment({
    operations: 'OPERATIONS_TABLE',
    hashes: 'HASHES_TABLE',
    deposits: 'DEPOSITS_TABLE',
    events: 'EVENTS_TABLE',
  });
  const apply = applyStatusChange(
    changeOperation({
      operations: createOffRampRepository(dynamo, tables.operations),
      endOperation: createEndOperation(dynamo, tables, clock),
      contradictions: createContradictionRepository(dynamo, tables, clock),
      findReturningDeposits: createFindReturningDeposits(dynamo, tables.deposits, clock),
      clock,
    }),
  );
  return handleEachMessage('apply-status-change', clock, (body, _, arrival) => apply(body, arrival));
}

await warmUp(createOffRampRepository(dynamo, setting('OPERATIONS_TABLE')).find(NIL_UUID));
export const handler = wire({ dynamo }, systemClock);
