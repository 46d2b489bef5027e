import { listTokens as contract } from '#shared/contracts/parameters.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { supportedTokensIn } from '#shared/dynamodb/parameters.ts';
import { publicEndpoint } from '#shared/http/endpoints.ts';
import type { AwsClients } from '#shared/runtime/aws-clients.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { primed } from '#shared/runtime/primed.ts';
import { listTokens } from './list-tokens.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  const tokens = supportedTokensIn(dynamo, setting('PARAMETERS_TABLE'));
  return publicEndpoint(contract, clock, listTokens(tokens));
}

await primed(supportedTokensIn(dynamo, setting('PARAMETERS_TABLE'))());
export const handler = wire({ dynamo }, systemClock);
