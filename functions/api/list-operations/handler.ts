import { listOperations as contract } from '#shared/contracts/list-operations.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { createUserOperations } from '#shared/dynamodb/operations.ts';
import { usersIn } from '#shared/dynamodb/users.ts';
import { anyCaller } from '#shared/http/authorisation.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { NOBODY, primed } from '#shared/runtime/primed.ts';
import { listOperations } from './list-operations.ts';

const findUser = usersIn(dynamo, setting('USERS_TABLE'));
await primed(findUser(NOBODY, NOBODY));

export const handler = endpoint(
  contract,
  anyCaller,
  listOperations({ findUser, operations: createUserOperations(dynamo, setting('OPERATIONS_TABLE'), systemClock) }),
);
