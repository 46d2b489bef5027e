import { listClientPayinsContract } from '#shared/pay-ins/pay-in-contract.ts';
import { createListedPayins } from '#shared/pay-ins/pay-in-repository.ts';
import { type AwsClients, NIL_UUID, warmUp } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { setting } from '#shared/platform/environment.ts';
import { clientEndpoint } from '#shared/platform/http/endpoints.ts';
import { listClientPayins } from './list-client-payins.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  const payins = createListedPayins(dynamo, setting('PAYINS_TABLE'), clock);
  return clientEndpoint(listClientPayinsContract, clock, listClientPayins(payins));
}

await warmUp(createListedPayins(dynamo, setting('PAYINS_TABLE'), systemClock).getReadable([NIL_UUID]));
export const handler = wire({ dynamo }, systemClock);
