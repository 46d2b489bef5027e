import type * as z from 'zod/mini';
import type { FindClient } from '#shared/clients/client-store.ts';
import type { User } from '#shared/clients/user.ts';
import type {
  addUser as addContract,
  readUser as readContract,
  updateUser as updateContract,
} from '#shared/clients/user-commands.ts';
import type { UserOnboarding } from '#shared/clients/user-onboarding-store.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import type { Change } from './audited.ts';
import { noClient } from './no-client.ts';

interface Dependencies {
  readonly findClient: FindClient;
  readonly users: UserOnboarding;
  readonly newId: () => string;
}

export function addUser({ findClient, users, newId }: Dependencies): Change<typeof addContract> {
  return async ({ clientId, payer }) => {
    if ((await findClient(clientId)) === undefined) throw noClient();
    const userId = newId();
    await users.add({ userId, clientId, ...recordOf(payer) });
    return { body: { userId, clientId }, ids: { userId, clientId } };
  };
}

export function updateUser({ users }: Pick<Dependencies, 'users'>): Change<typeof updateContract> {
  return async ({ userId, payer }) => {
    const user = await users.find(userId);
    if (user === undefined) throw new ApiError('USER_NOT_FOUND');
    const { phone = user.phone, payer: changed } = recordOf(payer);
    await users.update({ ...user, phone, payer: { ...user.payer, ...changed } });
    return { body: { userId }, ids: { userId, clientId: user.clientId } };
  };
}

export function readUser({ users }: Pick<Dependencies, 'users'>): UseCase<typeof readContract> {
  return async ({ query }) => {
    const { userId } = query();
    const [user, wallets] = await Promise.all([users.find(userId), users.listWallets(userId)]);
    if (user === undefined) throw new ApiError('USER_NOT_FOUND');
    const { clientId, phone, payer } = user;
    return {
      body: { userId, clientId, payer: { ...payer, ...(phone !== undefined && { phone }) }, wallets: [...wallets] },
      ids: { userId, clientId },
    };
  };
}

/** The phone is beside the rest, where pay-ins read it. */
function recordOf({
  phone,
  ...payer
}: z.infer<typeof addContract.body>['arguments']['payer']): Pick<User, 'phone' | 'payer'> {
  return { phone, payer };
}
