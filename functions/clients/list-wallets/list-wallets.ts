import { clientErrors } from '#shared/clients/client-errors.ts';
import { describeWallet, type listWalletsContract } from '#shared/clients/user-contract.ts';
import type { FindUser, FindWallet, ListWallets } from '#shared/clients/user-repository.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { recordAtCursor } from '#shared/platform/http/page.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';

interface Dependencies {
  readonly findUser: FindUser;
  readonly findWallet: FindWallet;
  readonly listWallets: ListWallets;
}

export function listWallets(deps: Dependencies): UseCase<typeof listWalletsContract> {
  return async ({ clientId, path, query }) => {
    const userId = path.user_id;
    if ((await deps.findUser(clientId, userId)) === undefined) throw new ApiError(clientErrors.USER_NOT_FOUND);
    const { limit, cursor } = query();
    const findAll = (ids: readonly string[]) => Promise.all(ids.map((walletId) => deps.findWallet(userId, walletId)));
    const after = await recordAtCursor(cursor, findAll, () => true);
    const most = Number(limit);
    const found = await deps.listWallets(userId, after?.walletId, most + 1);
    const wallets = found.slice(0, most).map(describeWallet);
    const last = found.length > most ? wallets.at(-1) : undefined;
    return { body: { wallets, ...(last && { nextCursor: last.id }) } };
  };
}
