import { getOperation as contract } from '#shared/contracts/get-operation.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { operationsIn } from '#shared/dynamodb/operations.ts';
import { clientEndpoint } from '#shared/http/endpoints.ts';
import type { AwsClients } from '#shared/runtime/aws-clients.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { NOBODY, primed } from '#shared/runtime/primed.ts';
import { getOperation } from './get-operation.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  const operations = operationsIn(dynamo, setting('OPERATIONS_TABLE'));
  return clientEndpoint(contract, clock, getOperation(operations));
}

await primed(operationsIn(dynamo, setting('OPERATIONS_TABLE')).findWithVerification(NOBODY));
export const handler = wire({ dynamo }, systemClock);
