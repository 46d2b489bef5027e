import { getClientInfo as contract } from '#shared/contracts/client-info.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { clientProfilesIn } from '#shared/dynamodb/client-profiles.ts';
import { clientEndpoint } from '#shared/http/endpoints.ts';
import type { AwsClients } from '#shared/runtime/aws-clients.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { NOBODY, primed } from '#shared/runtime/primed.ts';
import { getClientInfo } from './get-client-info.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  const findProfile = clientProfilesIn(dynamo, setting('CLIENTS_TABLE'));
  return clientEndpoint(contract, clock, getClientInfo(findProfile));
}

await primed(clientProfilesIn(dynamo, setting('CLIENTS_TABLE'))(NOBODY));
export const handler = wire({ dynamo }, systemClock);
