import { getClientInfoContract } from '#shared/clients/client-contract.ts';
import { createFindClientProfile } from '#shared/clients/client-repository.ts';
import { type AwsClients, NIL_UUID, warmUp } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { setting } from '#shared/platform/environment.ts';
import { clientEndpoint } from '#shared/platform/http/endpoints.ts';
import { getClientInfo } from './get-client-info.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  const findProfile = createFindClientProfile(dynamo, setting('CLIENTS_TABLE'));
  return clientEndpoint(getClientInfoContract, clock, getClientInfo(findProfile));
}

await warmUp(createFindClientProfile(dynamo, setting('CLIENTS_TABLE'))(NIL_UUID));
export const handler = wire({ dynamo }, systemClock);
