import { listUsersContract } from '#shared/clients/user-contract.ts';
import { createHasUser, createListUsersOf } from '#shared/clients/user-repository.ts';
import { type AwsClients, NIL_UUID, warmUp } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { setting } from '#shared/platform/environment.ts';
import { clientEndpoint } from '#shared/platform/http/endpoints.ts';
import { listUsers } from './list-users.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  const table = setting('USERS_TABLE');
  const [hasUser, listUsersOf] = [createHasUser(dynamo, table), createListUsersOf(dynamo, table, clock)];
  return clientEndpoint(listUsersContract, clock, listUsers({ hasUser, listUsersOf }));
}

await warmUp(createHasUser(dynamo, setting('USERS_TABLE'))(NIL_UUID, NIL_UUID));
export const handler = wire({ dynamo }, systemClock);
