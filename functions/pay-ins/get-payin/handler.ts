import { getPayin as contract } from '#shared/pay-ins/get-payin-contract.ts';
import { payinsIn } from '#shared/pay-ins/payin-store.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { setting } from '#shared/platform/environment.ts';
import { clientEndpoint } from '#shared/platform/http/endpoints.ts';
import { NOBODY, primed } from '#shared/platform/warm-up.ts';
import { getPayin } from './get-payin.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  const payins = payinsIn(dynamo, setting('PAYINS_TABLE'));
  return clientEndpoint(contract, clock, getPayin(payins));
}

await primed(payinsIn(dynamo, setting('PAYINS_TABLE')).find(NOBODY));
export const handler = wire({ dynamo }, systemClock);
