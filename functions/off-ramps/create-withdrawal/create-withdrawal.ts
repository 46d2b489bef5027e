import { clientErrors } from '#shared/clients/client-errors.ts';
import { refuseIfClosed } from '#shared/clients/closed-user.ts';
import type { CountCall } from '#shared/clients/daily-allowances.ts';
import type { ExternalWallet } from '#shared/clients/user.ts';
import type { FindUser } from '#shared/clients/user-repository.ts';
import { withChecksum } from '#shared/networks/address-checksum.ts';
import type { Network } from '#shared/networks/network.ts';
import { describeOperation } from '#shared/off-ramps/contract/off-ramp-contract.ts';
import type { createWithdrawalContract } from '#shared/off-ramps/contract/withdrawal-contract.ts';
import type { Custodians } from '#shared/off-ramps/custodians/custodian.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import type { AssetOnNetwork, SupportedToken } from '#shared/parameters/parameter-lists.ts';
import { canonicalAmount, compareAmounts, decimalPlaces } from '#shared/platform/amount.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { retryOnConflict } from '#shared/platform/dynamodb/transaction.ts';
import { ApiError, dailyLimitReached, type FieldError, invalid } from '#shared/platform/http/api-error.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import type { RunIdempotently } from '#shared/platform/http/idempotency.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { ProviderSimulated } from '#shared/platform/retry.ts';

interface Dependencies {
  /** In production without the networks of a simulated custodian: nobody has the keys of its addresses. */
  readonly acceptedNetworks: readonly Network[];
  readonly findUser: FindUser;
  readonly findWallet: (userId: string, walletId: string) => Promise<ExternalWallet | undefined>;
  readonly findToken: (tokenId: number) => Promise<SupportedToken | undefined>;
  readonly countCall: CountCall;
  /** A network without a custodian is not served. */
  readonly custodians: Custodians<'assignDepositAddress'>;
  /** False if an operation with this id already exists. */
  readonly insertOperation: (operation: OffRamp) => Promise<boolean>;
  readonly findOperation: (operationId: string) => Promise<OffRamp | undefined>;
  readonly runIdempotently: RunIdempotently;
  readonly clock: Clock;
  /** Seconds from creation to `expiresAt`. */
  readonly windowSeconds: number;
  /** Hours from `expiresAt` to `endsAt`. */
  readonly endsAfterHours: number;
}

const NO_CUSTODIAN = 'Off-ramps cannot be created here yet: no custodian accepts their deposits. Nothing was created.';

type Body = ReturnType<Parameters<UseCase<typeof createWithdrawalContract>>[0]['body']>;

export function createWithdrawal(deps: Dependencies): UseCase<typeof createWithdrawalContract> {
  return async (call) => {
    const userId = call.path.user_id;
    const user = await deps.findUser(call.clientId, userId);
    if (user === undefined) throw new ApiError(clientErrors.USER_NOT_FOUND);
    const body = call.body();
    const answer = await deps.runIdempotently(call, body, async (operationId, isFirstTry) => {
      const made = isFirstTry ? undefined : await deps.findOperation(operationId);
      if (made !== undefined) return { operation: describeOperation(made) };
      refuseIfClosed(user);
      const operation = await newOperation(deps, { operationId, clientId: call.clientId, userId }, body, isFirstTry);
      return { operation: describeOperation(await stored(deps, operation)) };
    });
    return { ...answer, ids: { operationId: answer.body.operation.id } };
  };
}

async function stored(deps: Dependencies, operation: OffRamp): Promise<OffRamp> {
  if (await retryOnConflict(deps.clock, () => deps.insertOperation(operation))) return operation;
  return (await deps.findOperation(operation.operationId)) ?? operation;
}

async function newOperation(
  {
    acceptedNetworks,
    findWallet,
    findToken,
    countCall,
    custodians,
    findOperation,
    clock,
    windowSeconds,
    endsAfterHours,
  }: Dependencies,
  owner: Pick<OffRamp, 'operationId' | 'clientId' | 'userId'>,
  body: Body,
  isFirstTry: boolean,
): Promise<OffRamp> {
  const [wallet, token] = await Promise.all([
    findWallet(owner.userId, body.originExternalWalletId),
    findToken(body.supportedTokenId),
  ]);
  if (wallet === undefined) throw new ApiError(clientErrors.EXTERNAL_WALLET_NOT_FOUND);
  const custodian = custodians.get(wallet.network);
  const asset = token?.active === true && custodian !== undefined ? token.networks[wallet.network] : undefined;
  const amount = canonicalAmount(body.amount);
  const tokenError = asset === undefined ? tokenNotSupported(wallet.network) : undefined;
  const amountError = checkAmount(amount, asset);
  const errors = [tokenError, amountError].filter((error) => error !== undefined);
  if (!token || !custodian || !asset || amount === undefined || errors.length > 0) throw invalid(...errors);
  if (!acceptedNetworks.includes(wallet.network))
    throw new ApiError(apiErrors.SERVICE_UNAVAILABLE, { detail: NO_CUSTODIAN, cause: new ProviderSimulated() });
  // A repeated call does not count again: the first try has counted this operation.
  if (isFirstTry && !(await countCall(owner.clientId))) throw dailyLimitReached(clock.now());
  const { custodianAssetId } = asset;
  const deposit = await custodian.assignDepositAddress({
    ...owner,
    network: wallet.network,
    custodianAssetId,
    hasEnded: async (operationId) => {
      const operation = await findOperation(operationId);
      return operation && operation.endedAt !== undefined;
    },
  });
  const now = clock.now();
  const expiresAt = now.getTime() + windowSeconds * 1000;
  // Each field of the request is a field of the operation: a request with another one would not compile.
  const sent: Pick<OffRamp, keyof Body> = { ...body, amount };
  return {
    ...owner,
    ...sent,
    status: 'AWAITING_DEPOSIT',
    sequence: 1,
    network: wallet.network,
    token: token.token,
    custodianAssetId,
    address: withChecksum(wallet.network, deposit.address),
    addressTag: deposit.tag,
    derivation: deposit.derivation,
    senderAddress: wallet.address,
    createdAt: now.toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
    endsAt: new Date(expiresAt + endsAfterHours * 3_600_000).toISOString(),
    attempt: 0,
  };
}

/** Checks the amount. Without an asset, because the token is not on the network, checks only its form. */
function checkAmount(amount: string | undefined, asset: AssetOnNetwork | undefined): FieldError | undefined {
  const path = 'body.amount';
  if (amount === undefined) {
    const message =
      'must be a positive decimal, as text or number, with at most 30 digits before the point and 18 after it';
    return { path, code: 'INVALID_AMOUNT', message };
  }
  if (asset === undefined) return undefined;
  const { decimals, minimum, maximum } = asset;
  // The chain cannot transfer an amount with more decimals than the token has.
  if (decimalPlaces(amount) > decimals) {
    return { path, code: 'TOO_MANY_DECIMALS', message: `must have at most ${decimals} digits after the point` };
  }
  const isWithin = compareAmounts(amount, minimum) >= 0 && compareAmounts(amount, maximum) <= 0;
  return isWithin
    ? undefined
    : { path, code: 'AMOUNT_OUT_OF_BOUNDS', message: `must be from ${minimum} to ${maximum}` };
}

function tokenNotSupported(network: Network): FieldError {
  const message = `must be an active token on ${network}, the network of the external wallet`;
  return { path: 'body.supportedTokenId', code: 'TOKEN_NOT_SUPPORTED', message };
}
