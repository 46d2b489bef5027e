import { listWalletsContract } from '#shared/clients/user-contract.ts';
import { createFindUser, createHasWallet, createListWallets } from '#shared/clients/user-repository.ts';
import { type AwsClients, NIL_UUID, warmUp } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment, setting } from '#shared/platform/environment.ts';
import { clientEndpoint } from '#shared/platform/http/endpoints.ts';
import { listWallets } from './list-wallets.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  const env = environment({ usersTable: 'USERS_TABLE', walletsTable: 'WALLETS_TABLE' });
  const useCase = listWallets({
    findUser: createFindUser(dynamo, env.usersTable),
    hasWallet: createHasWallet(dynamo, env.walletsTable),
    listWallets: createListWallets(dynamo, env.walletsTable),
  });
  return clientEndpoint(listWalletsContract, clock, useCase);
}

await warmUp(createFindUser(dynamo, setting('USERS_TABLE'))(NIL_UUID, NIL_UUID));
export const handler = wire({ dynamo }, systemClock);
