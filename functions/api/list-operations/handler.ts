import { listOperations as contract } from '#shared/contracts/list-operations.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { createUserOperations } from '#shared/dynamodb/operations.ts';
import { usersIn } from '#shared/dynamodb/users.ts';
import { clientEndpoint } from '#shared/http/endpoints.ts';
import type { AwsClients } from '#shared/runtime/aws-clients.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { NOBODY, primed } from '#shared/runtime/primed.ts';
import { listOperations } from './list-operations.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  const findUser = usersIn(dynamo, setting('USERS_TABLE'));
  return clientEndpoint(
    contract,
    clock,
    listOperations({ findUser, operations: createUserOperations(dynamo, setting('OPERATIONS_TABLE'), clock) }),
  );
}

await primed(usersIn(dynamo, setting('USERS_TABLE'))(NOBODY, NOBODY));
export const handler = wire({ dynamo }, systemClock);
