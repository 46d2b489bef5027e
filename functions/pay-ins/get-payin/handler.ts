import { getPayinContract } from '#shared/pay-ins/pay-in-contract.ts';
import { createFindPayin } from '#shared/pay-ins/pay-in-repository.ts';
import { type AwsClients, NIL_UUID, warmUp } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { setting } from '#shared/platform/environment.ts';
import { clientEndpoint } from '#shared/platform/http/endpoints.ts';
import { getPayin } from './get-payin.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  return clientEndpoint(getPayinContract, clock, getPayin(createFindPayin(dynamo, setting('PAYINS_TABLE'))));
}

await warmUp(createFindPayin(dynamo, setting('PAYINS_TABLE'))(NIL_UUID));
export const handler = wire({ dynamo }, systemClock);
