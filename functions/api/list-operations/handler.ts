import { listOperations as contract } from '#shared/contracts/list-operations.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { createUserOperations } from '#shared/dynamodb/operations.ts';
import { usersIn } from '#shared/dynamodb/users.ts';
import { clientEndpoint } from '#shared/http/endpoints.ts';
import { systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { NOBODY, primed } from '#shared/runtime/primed.ts';
import { listOperations } from './list-operations.ts';

const findUser = usersIn(dynamo, setting('USERS_TABLE'));
await primed(findUser(NOBODY, NOBODY));

export const handler = clientEndpoint(
  contract,
  listOperations({ findUser, operations: createUserOperations(dynamo, setting('OPERATIONS_TABLE'), systemClock) }),
);
