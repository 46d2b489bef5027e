import type { readUser as contract } from '#shared/clients/user-commands.ts';
import type { UserOnboarding } from '#shared/clients/user-onboarding-store.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';

interface Dependencies {
  readonly users: Pick<UserOnboarding, 'find' | 'listWallets'>;
}

export function readUser({ users }: Dependencies): UseCase<typeof contract> {
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
