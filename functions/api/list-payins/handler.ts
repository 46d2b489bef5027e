import { listPayins as contract } from '#shared/contracts/list-payins.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { createUserPayins } from '#shared/dynamodb/payins.ts';
import { usersIn } from '#shared/dynamodb/users.ts';
import { clientEndpoint } from '#shared/http/endpoints.ts';
import { systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { NOBODY, primed } from '#shared/runtime/primed.ts';
import { listPayins } from './list-payins.ts';

const findUser = usersIn(dynamo, setting('USERS_TABLE'));
await primed(findUser(NOBODY, NOBODY));

export const handler = clientEndpoint(
  contract,
  listPayins({ findUser, payins: createUserPayins(dynamo, setting('PAYINS_TABLE'), systemClock) }),
);
