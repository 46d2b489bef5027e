import { clientErrors } from '#shared/clients/client-errors.ts';
import type { readUserContract } from '#shared/clients/client-lookups.ts';
import type { UserOnboarding } from '#shared/clients/user-repository.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import type { ListChanges } from '#shared/platform/operators/list-changes.ts';

interface Dependencies {
  readonly users: Pick<UserOnboarding, 'find' | 'listWallets'>;
  readonly listChanges: ListChanges;
}

export function readUser({ users, listChanges }: Dependencies): UseCase<typeof readUserContract> {
  return async ({ query }) => {
    const { userId } = query();
    const [user, wallets, changes] = await Promise.all([
      users.find(userId),
      users.listWallets(userId),
      listChanges(userId),
    ]);
    if (user === undefined) throw new ApiError(clientErrors.USER_NOT_FOUND);
    const { clientId, phone, payer, closedAt, erasedAt } = user;
    return {
      body: {
        userId,
        clientId,
        payer: { ...payer, ...(phone !== undefined && { phone }) },
        ...{ closedAt, erasedAt },
        ...wallets,
        changes,
      },
      ids: { userId, clientId },
    };
  };
}
