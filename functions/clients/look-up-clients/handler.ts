import { createFindClient } from '#shared/clients/client-repository.ts';
import { type AwsClients, NIL_UUID, warmUp } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment, setting } from '#shared/platform/environment.ts';
import { lookUpClients } from './look-up-clients.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  const tables = environment({
    clients: 'CLIENTS_TABLE',
    users: 'USERS_TABLE',
    wallets: 'WALLETS_TABLE',
    audit: 'AUDIT_TABLE',
  });
  return lookUpClients({ dynamo, tables, clock });
}

await warmUp(createFindClient(dynamo, setting('CLIENTS_TABLE'))(NIL_UUID));
export const handler = wire({ dynamo }, systemClock);
