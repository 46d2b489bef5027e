import { createFindUser } from '#shared/clients/user-repository.ts';
import { listOperationsContract } from '#shared/off-ramps/contract/off-ramp-contract.ts';
import { createListedOffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { type AwsClients, NIL_UUID, warmUp } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment, setting } from '#shared/platform/environment.ts';
import { clientEndpoint } from '#shared/platform/http/endpoints.ts';
import { listOperations } from './list-operations.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  const env = environment({ usersTable: 'USERS_TABLE', operationsTable: 'OPERATIONS_TABLE' });
  const findUser = createFindUser(dynamo, env.usersTable);
  return clientEndpoint(
    listOperationsContract,
    clock,
    listOperations({ findUser, operations: createListedOffRamps(dynamo, env.operationsTable, clock) }),
  );
}

await warmUp(createFindUser(dynamo, setting('USERS_TABLE'))(NIL_UUID, NIL_UUID));
export const handler = wire({ dynamo }, systemClock);
