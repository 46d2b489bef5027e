import { createUserOnboarding } from '#shared/clients/user-repository.ts';
import { type AwsClients, NIL_UUID, warmUp } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment } from '#shared/platform/environment.ts';
import { exportUser } from './export-user.ts';

const tables = () =>
  environment({
    users: 'USERS_TABLE',
    wallets: 'WALLETS_TABLE',
    operations: 'OPERATIONS_TABLE',
    deposits: 'DEPOSITS_TABLE',
    payins: 'PAYINS_TABLE',
  });

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  return exportUser({ dynamo, tables: tables(), clock });
}

await warmUp(createUserOnboarding(dynamo, tables()).find(NIL_UUID));
export const handler = wire({ dynamo }, systemClock);
