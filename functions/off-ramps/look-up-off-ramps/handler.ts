import { createFindClient } from '#shared/clients/client-repository.ts';
import { heldSinceSetting } from '#shared/off-ramps/custodians/returns-setting.ts';
import { type AwsClients, NIL_UUID, warmUp } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment, setting } from '#shared/platform/environment.ts';
import { lookUpOffRamps } from './look-up-off-ramps.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  const env = environment({ payoutHours: 'PAYOUT_HOURS', timeZone: 'TIME_ZONE' });
  const tables = environment({
    clients: 'CLIENTS_TABLE',
    operations: 'OPERATIONS_TABLE',
    hashes: 'HASHES_TABLE',
    deposits: 'DEPOSITS_TABLE',
    audit: 'AUDIT_TABLE',
    proposals: 'PROPOSALS_TABLE',
  });
  const [payoutHours, timeZone] = [Number(env.payoutHours), env.timeZone];
  return lookUpOffRamps({ dynamo, tables, clock, payoutHours, timeZone, ...heldSinceSetting() });
}

await warmUp(createFindClient(dynamo, setting('CLIENTS_TABLE'))(NIL_UUID));
export const handler = wire({ dynamo }, systemClock);
