import { clientErrors } from '#shared/clients/client-errors.ts';
import { refuseIfClosed } from '#shared/clients/closed-user.ts';
import type { declareWalletContract, withdrawWalletContract } from '#shared/clients/user-commands.ts';
import type { UserOnboarding } from '#shared/clients/user-repository.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { digestId } from '#shared/platform/ids.ts';
import type { Change } from '#shared/platform/operators/audited.ts';

interface Dependencies {
  readonly users: Pick<UserOnboarding, 'find' | 'declareWallet' | 'withdrawWallet'>;
}

/** The answer shows the stored, normal form of the address. The same address again is the same wallet. */
export function declareWallet({ users }: Dependencies): Change<typeof declareWalletContract> {
  return async ({ userId, network, address }) => {
    const user = await users.find(userId);
    if (user === undefined) throw new ApiError(clientErrors.USER_NOT_FOUND);
    refuseIfClosed(user);
    const wallet = { walletId: digestId([userId, network, address].join('|')), userId, network, address };
    await users.declareWallet(wallet);
    return { body: wallet, ids: { userId, clientId: user.clientId, walletId: wallet.walletId } };
  };
}

export function withdrawWallet({ users }: Dependencies): Change<typeof withdrawWalletContract> {
  return async ({ userId, walletId }) => {
    if (!(await users.withdrawWallet(userId, walletId))) throw new ApiError(clientErrors.EXTERNAL_WALLET_NOT_FOUND);
    return { body: { userId, walletId }, ids: { userId, walletId } };
  };
}
