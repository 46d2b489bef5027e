import type * as z from 'zod/mini';
import { type Network, networkSpecs, parseAddress, withTag } from '#shared/networks/network.ts';
import type { AccountAddress } from '#shared/networks/network-families.ts';
import { describeDeposit } from '#shared/off-ramps/contract/describe-deposit.ts';
import { offRampErrors } from '#shared/off-ramps/contract/off-ramp-contract.ts';
import type { returnDepositContract } from '#shared/off-ramps/contract/return-contract.ts';
import { operationPayingFor } from '#shared/off-ramps/model/contradictions.ts';
import type { Deposit } from '#shared/off-ramps/model/deposit.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { returnRequested } from '#shared/off-ramps/model/return-changes.ts';
import {
  isSender,
  isToDeclaredWallet,
  type NotReturnable,
  newReturn,
  type ReturnTerms,
  returnHindrances,
  senderOf,
} from '#shared/off-ramps/model/returns.ts';
import type { FindDepositOf } from '#shared/off-ramps/store/deposit-lists.ts';
import type { OffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { ownedOffRamp } from '#shared/off-ramps/store/owned-off-ramp.ts';
import type { Returns } from '#shared/off-ramps/transitions/return-deposit.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { retryOnConflict } from '#shared/platform/dynamodb/transaction.ts';
import { ApiError, invalid } from '#shared/platform/http/api-error.ts';
import { id } from '#shared/platform/http/fields.ts';
import type { RunIdempotently } from '#shared/platform/http/idempotency.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';

interface Dependencies {
  readonly operations: Pick<OffRamps, 'findWithVerification'>;
  readonly findDepositOf: FindDepositOf;
  readonly returns: Pick<Returns, 'change'>;
  readonly terms: ReturnTerms;
  readonly onePersonUpTo: Readonly<Record<string, string>>;
  readonly runIdempotently: RunIdempotently;
  readonly clock: Clock;
}

type Body = z.infer<(typeof returnDepositContract)['body']>;

/** Requests a return: freezes its address and amount, which operators approve. A repeat answers the current deposit. */
export function returnDeposit(deps: Dependencies): UseCase<typeof returnDepositContract> {
  return async (call) => {
    const { clientId, path } = call;
    await ownedOffRamp(deps.operations, clientId, path);
    const body = call.body();
    return deps.runIdempotently(call, body, () =>
      retryOnConflict(deps.clock, async () => {
        const { operation } = await ownedOffRamp(deps.operations, clientId, path);
        const depositId = id.safeParse(path.deposit_id);
        const found = depositId.success ? await deps.findDepositOf(operation.operationId, depositId.data) : undefined;
        if (found === undefined || describeDeposit(found, operation, deps.terms) === undefined)
          throw new ApiError(offRampErrors.DEPOSIT_NOT_FOUND);
        const deposit = describeDeposit(await request(deps, found, operation, body), operation, deps.terms);
        if (deposit === undefined) throw new Error(`${found.custodianTransferId} is shown no more.`);
        return { deposit };
      }),
    );
  };
}

/** @returns the deposit afterwards @throws {ApiError} */
async function request(deps: Dependencies, deposit: Deposit, operation: OffRamp, body: Body): Promise<Deposit> {
  if (deposit.return !== undefined) {
    if (isSameAsRequested(deposit, deposit.return, body)) return deposit;
    throw notReturnable('OTHER_ADDRESS');
  }
  const [why, ...others] = returnHindrances(deposit, operation, deps.terms);
  if (why !== undefined) throw notReturnable(why, ...others);
  const now = deps.clock.now();
  const { onePersonUpTo } = deps;
  const given = { to: whereTo(deposit, operation, body), by: `client ${operation.clientId}`, isAddressGiven: false };
  const frozen = newReturn(deposit, operation, deps.terms, { ...given, onePersonUpTo }, now);
  // The operation must be unchanged: a report of its payout, which may be for this deposit, would forbid the return.
  return deps.returns.change(deposit, returnRequested(frozen), { operation: operationPayingFor(operation, deposit) });
}

/** The address of the return: the sender's, which the client must repeat unless it is the declared wallet. */
function whereTo(deposit: Deposit, operation: OffRamp, { confirmAddress, tag }: Body): AccountAddress {
  const { network } = deposit;
  const sender = senderOf(deposit);
  if (sender === undefined) throw notReturnable('SENDER_UNKNOWN');
  const { hasTags } = networkSpecs[network].family;
  if (tag !== undefined && !hasTags)
    throw invalid({ path: 'body.tag', code: 'NOT_ALLOWED', message: `is not known on ${network}` });
  if (confirmAddress === undefined && (hasTags || !isToDeclaredWallet(operation, deposit, sender)))
    throw invalid({ path: 'body.confirmAddress', code: 'REQUIRED', message: "is required: the sender's address" });
  const to = confirmAddress === undefined ? sender : confirmedIn(network, confirmAddress, tag);
  if (to === undefined || !isSender(sender, to)) throw notReturnable('OTHER_ADDRESS');
  return to;
}

function isSameAsRequested(
  { network }: Deposit,
  frozen: NonNullable<Deposit['return']>,
  { confirmAddress, tag }: Body,
): boolean {
  if (confirmAddress === undefined) return tag === frozen.tag;
  const confirmed = confirmedIn(network, confirmAddress, tag);
  return confirmed?.address === frozen.address && confirmed.tag === frozen.tag;
}

/** The confirmed address with its tag; `undefined` for a text that is not an address. */
function confirmedIn(network: Network, confirmAddress: string, tag: string | undefined): AccountAddress | undefined {
  const account = parseAddress(network, confirmAddress);
  const tagged = account && withTag(account, tag);
  if (account !== undefined && tagged === undefined)
    throw invalid({ path: 'body.tag', code: 'INVALID', message: 'must be the one inside confirmAddress, or absent' });
  return tagged;
}

function notReturnable(...reasons: readonly NotReturnable[]): ApiError {
  return new ApiError(offRampErrors.DEPOSIT_NOT_RETURNABLE, { about: { reasons } });
}
