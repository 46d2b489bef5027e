import { randomUUID } from 'node:crypto';
import { createUserOnboarding } from '#shared/clients/user-repository.ts';
import { type AwsClients, NIL_UUID, warmUp } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment, setting } from '#shared/platform/environment.ts';
import { eraseUser } from './erase-user.ts';

const tables = () =>
  environment({
    audit: 'AUDIT_TABLE',
    users: 'USERS_TABLE',
    wallets: 'WALLETS_TABLE',
    operations: 'OPERATIONS_TABLE',
    deposits: 'DEPOSITS_TABLE',
    payins: 'PAYINS_TABLE',
  });

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock, newId: () => string) {
  return eraseUser({ dynamo, tables: tables(), keptDays: Number(setting('KEPT_DAYS')), clock, newId });
}

await warmUp(createUserOnboarding(dynamo, tables()).find(NIL_UUID));
export const handler = wire({ dynamo }, systemClock, randomUUID);
