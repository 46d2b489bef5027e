import { createFindUser } from '#shared/clients/user-repository.ts';
import { listPayinsContract } from '#shared/pay-ins/pay-in-contract.ts';
import { createListedPayins } from '#shared/pay-ins/pay-in-repository.ts';
import { type AwsClients, NIL_UUID, warmUp } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment, setting } from '#shared/platform/environment.ts';
import { clientEndpoint } from '#shared/platform/http/endpoints.ts';
import { listPayins } from './list-payins.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  const env = environment({ usersTable: 'USERS_TABLE', payinsTable: 'PAYINS_TABLE' });
  const findUser = createFindUser(dynamo, env.usersTable);
  return clientEndpoint(
    listPayinsContract,
    clock,
    listPayins({ findUser, payins: createListedPayins(dynamo, env.payinsTable, clock) }),
  );
}

await warmUp(createFindUser(dynamo, setting('USERS_TABLE'))(NIL_UUID, NIL_UUID));
export const handler = wire({ dynamo }, systemClock);
