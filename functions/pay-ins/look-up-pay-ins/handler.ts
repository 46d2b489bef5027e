import { createFindPolledPayin } from '#shared/pay-ins/pay-in-repository.ts';
import { type AwsClients, NIL_UUID, warmUp } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment, setting } from '#shared/platform/environment.ts';
import { lookUpPayIns } from './look-up-pay-ins.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  const tables = environment({ clients: 'CLIENTS_TABLE', payins: 'PAYINS_TABLE', proposals: 'PROPOSALS_TABLE' });
  const timeZone = setting('TIME_ZONE');
  return lookUpPayIns({ dynamo, tables, clock, timeZone });
}

await warmUp(createFindPolledPayin(dynamo, setting('PAYINS_TABLE'))(NIL_UUID));
export const handler = wire({ dynamo }, systemClock);
