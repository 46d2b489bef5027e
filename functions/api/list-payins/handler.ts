import { listPayins as contract } from '#shared/contracts/list-payins.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { createUserPayins } from '#shared/dynamodb/payins.ts';
import { usersIn } from '#shared/dynamodb/users.ts';
import { clientEndpoint } from '#shared/http/endpoints.ts';
import type { AwsClients } from '#shared/runtime/aws-clients.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { NOBODY, primed } from '#shared/runtime/primed.ts';
import { listPayins } from './list-payins.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  const findUser = usersIn(dynamo, setting('USERS_TABLE'));
  return clientEndpoint(
    contract,
    clock,
    listPayins({ findUser, payins: createUserPayins(dynamo, setting('PAYINS_TABLE'), clock) }),
  );
}

await primed(usersIn(dynamo, setting('USERS_TABLE'))(NOBODY, NOBODY));
export const handler = wire({ dynamo }, systemClock);
