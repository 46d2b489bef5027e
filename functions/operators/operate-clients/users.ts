import type * as z from 'zod/mini';
import type { FindClient } from '#shared/clients/client-store.ts';
import type { User } from '#shared/clients/user.ts';
import type { addUser as addContract, updateUser as updateContract } from '#shared/clients/user-commands.ts';
import type { UserOnboarding } from '#shared/clients/user-onboarding-store.ts';
import type { Change } from '#shared/operators/audited.ts';
import { noClient } from '#shared/operators/no-client.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';

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

/** The phone is beside the rest, where pay-ins read it. */
function recordOf({
  phone,
  ...payer
}: z.infer<typeof addContract.body>['arguments']['payer']): Pick<User, 'phone' | 'payer'> {
  return { phone, payer };
}
