import { getOperationContract } from '#shared/off-ramps/contract/off-ramp-contract.ts';
import { createOffRampRepository } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { type AwsClients, NIL_UUID, warmUp } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { setting } from '#shared/platform/environment.ts';
import { clientEndpoint } from '#shared/platform/http/endpoints.ts';
import { getOperation } from './get-operation.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  const operations = createOffRampRepository(dynamo, setting('OPERATIONS_TABLE'));
  return clientEndpoint(getOperationContract, clock, getOperation(operations));
}

await warmUp(createOffRampRepository(dynamo, setting('OPERATIONS_TABLE')).findWithVerification(NIL_UUID));
export const handler = wire({ dynamo }, systemClock);
