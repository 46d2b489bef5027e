import { clientErrors } from '#shared/clients/client-errors.ts';
import { describeWallet, type listWalletsContract } from '#shared/clients/user-contract.ts';
import type { FindUser, HasWallet, ListWallets } from '#shared/clients/user-repository.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { findCursorRecord } from '#shared/platform/http/page.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';

interface Dependencies {
  readonly findUser: FindUser;
  readonly hasWallet: HasWallet;
  readonly listWallets: ListWallets;
}

export function listWallets(deps: Dependencies): UseCase<typeof listWalletsContract> {
  return async ({ clientId, path, query }) => {
    const userId = path.user_id;
    if ((await deps.findUser(clientId, userId)) === undefined) throw new ApiError(clientErrors.USER_NOT_FOUND);
    const { limit, cursor } = query();
    const known = (ids: readonly string[]) =>
      Promise.all(ids.map(async (walletId) => ((await deps.hasWallet(userId, walletId)) ? walletId : undefined)));
    const after = await findCursorRecord(cursor, known, () => true);
    const { wallets, nextAfter } = await deps.listWallets(userId, after, Number(limit));
    return {
      body: { wallets: wallets.map(describeWallet), ...(nextAfter !== undefined && { nextCursor: nextAfter }) },
    };
  };
}
