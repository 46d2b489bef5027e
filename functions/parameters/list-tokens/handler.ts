import { listTokensContract } from '#shared/parameters/parameter-contract.ts';
import { createListSupportedTokens } from '#shared/parameters/parameter-store.ts';
import { type AwsClients, warmUp } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { setting } from '#shared/platform/environment.ts';
import { publicEndpoint } from '#shared/platform/http/endpoints.ts';
import { listTokens } from './list-tokens.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  const tokens = createListSupportedTokens(dynamo, setting('PARAMETERS_TABLE'));
  return publicEndpoint(listTokensContract, clock, listTokens(tokens));
}

await warmUp(createListSupportedTokens(dynamo, setting('PARAMETERS_TABLE'))());
export const handler = wire({ dynamo }, systemClock);
