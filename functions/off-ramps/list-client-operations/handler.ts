import { listClientOperationsContract } from '#shared/off-ramps/contract/off-ramp-contract.ts';
import { createListedOffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { type AwsClients, NIL_UUID, warmUp } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { setting } from '#shared/platform/environment.ts';
import { clientEndpoint } from '#shared/platform/http/endpoints.ts';
import { listClientOperations } from './list-client-operations.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  const operations = createListedOffRamps(dynamo, setting('OPERATIONS_TABLE'), clock);
  return clientEndpoint(listClientOperationsContract, clock, listClientOperations(operations));
}

await warmUp(createListedOffRamps(dynamo, setting('OPERATIONS_TABLE'), systemClock).getReadable([NIL_UUID]));
export const handler = wire({ dynamo }, systemClock);
