import { getPayin as contract } from '#shared/contracts/get-payin.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { payinsIn } from '#shared/dynamodb/payins.ts';
import { clientEndpoint } from '#shared/http/endpoints.ts';
import type { AwsClients } from '#shared/runtime/aws-clients.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { NOBODY, primed } from '#shared/runtime/primed.ts';
import { getPayin } from './get-payin.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  const payins = payinsIn(dynamo, setting('PAYINS_TABLE'));
  return clientEndpoint(contract, clock, getPayin(payins));
}

await primed(payinsIn(dynamo, setting('PAYINS_TABLE')).find(NOBODY));
export const handler = wire({ dynamo }, systemClock);
