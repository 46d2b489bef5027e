import { createFindParameters } from '#shared/parameters/parameter-store.ts';
import { type AwsClients, NIL_UUID, warmUp } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment, setting } from '#shared/platform/environment.ts';
import { lookUpParameters } from './look-up-parameters.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  const tables = environment({ parameters: 'PARAMETERS_TABLE', audit: 'AUDIT_TABLE' });
  return lookUpParameters({ dynamo, tables, clock });
}

await warmUp(createFindParameters(dynamo, setting('PARAMETERS_TABLE')).findBank(NIL_UUID));
export const handler = wire({ dynamo }, systemClock);
