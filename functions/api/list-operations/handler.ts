import { listOperations as contract } from '#shared/contracts/withdrawal.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { operationIdsOfUser, operationsIn } from '#shared/dynamodb/operations.ts';
import { usersIn } from '#shared/dynamodb/users.ts';
import { anyCaller } from '#shared/http/authorisation.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { setting } from '#shared/runtime/environment.ts';
import { NOBODY, primed } from '#shared/runtime/primed.ts';
import { listOperations } from './list-operations.ts';

const table = setting('OPERATIONS_TABLE');
const hasUser = usersIn(dynamo, setting('USERS_TABLE'));
await primed(hasUser(NOBODY, NOBODY));

export const handler = endpoint(
  contract,
  anyCaller,
  listOperations({ hasUser, operations: operationsIn(dynamo, table), idsOfUser: operationIdsOfUser(dynamo, table) }),
);
