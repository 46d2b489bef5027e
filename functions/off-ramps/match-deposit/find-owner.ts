import { networkSpecs } from '#shared/networks/network.ts';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import type { Deposit, IgnoredReason } from '#shared/off-ramps/model/deposit.ts';
import { hasKnownAddresses, isAwaitedBy } from '#shared/off-ramps/model/deposit-match.ts';
import type { Assignment, FindAddressOwners } from '#shared/off-ramps/store/address-owners.ts';
import { type CountDepositsOf, MOST_LISTED } from '#shared/off-ramps/store/deposit-lists.ts';
import type { OffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import type { AssetAmounts, AssetDecimals } from '#shared/parameters/asset-amounts.ts';
import { compareAmounts, decimalPlaces } from '#shared/platform/amount.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { log } from '#shared/platform/logger.ts';

export interface OwnerDependencies {
  readonly findAddressOwners: FindAddressOwners;
  readonly operations: Pick<OffRamps, 'find'>;
  readonly countDepositsOf: CountDepositsOf;
  /** The smallest deposit of each asset. A smaller transfer is dust, unless an operation awaits it. */
  readonly minimumDeposits: AssetAmounts;
  readonly decimals: AssetDecimals;
  /** The time to which tables were restored, until that is repaired. */
  readonly restoredAt?: string;
  readonly clock: Clock;
}

/** The owner of a deposit from now on, or why it has none. */
export type Owner = Pick<Deposit, 'operationId' | 'userId' | 'clientId' | 'detectedAt' | 'ignoredReason' | 'leftOutOf'>;

/** The most listed deposits of unknown assets, which may cost nothing to send. The other half is for known tokens. */
const MOST_UNKNOWN = MOST_LISTED / 2;

/**
 * Finds the owner: the operation to which the address is assigned when the deposit is first seen. There is none while
 * the address or, at an account that operations share by tags, the tag is unknown. Once the deposit was stored as
 * unmatched without an owner, it stays without one.
 */
export async function findOwner(
  deps: OwnerDependencies,
  deposit: Deposit,
  transfer: CustodianTransfer,
): Promise<Owner> {
  const { operationId, userId, clientId, detectedAt } = deposit;
  if (operationId !== undefined) return { operationId, userId, clientId, detectedAt };
  // Until a restore is repaired, an off-ramp with its address or tag may have been put back meanwhile.
  const isFound = deps.restoredAt !== undefined && deposit.leftOutOf === undefined;
  if (deposit.reasons !== undefined && !isFound) {
    const { ignoredReason, leftOutOf } = deposit;
    return { ignoredReason, leftOutOf };
  }
  if (transfer.isFromCustodian === true) return ignoredReason(deposit, 'FROM_CUSTODIAN');
  const owners = await deps.findAddressOwners(transfer);
  const [owner] = owners ?? [];
  if (owner !== undefined) return ownedBy(deps, owner, deposit, transfer);
  const isNotOurs = owners !== undefined && !networkSpecs[transfer.network].family.hasTags;
  if (!isNotOurs) {
    // After a restore, an off-ramp with its tag that awaits this small amount may not be put back yet.
    const isDust = deps.restoredAt === undefined && hasKnownAddresses(transfer) && isBelowMinimum(deps, transfer);
    return isDust ? ignoredReason(deposit, 'BELOW_MINIMUM') : { ignoredReason: undefined };
  }
  const { custodianTransferId, network, assetId } = transfer;
  const isNew = deposit.ignoredReason !== 'NOT_OURS';
  if (isNew && !isKnownAsset(deps, transfer)) log.warn('ASSET_NOT_SERVED', { custodianTransferId, network, assetId });
  return ignoredReason(deposit, 'NOT_OURS');
}

/** Anybody can send cheap transfers to an address, so a client sees only plausible ones, up to a limit. */
async function ownedBy(
  deps: OwnerDependencies,
  { operationId, userId, clientId }: Assignment,
  deposit: Deposit,
  transfer: CustodianTransfer,
): Promise<Owner> {
  const owner = {
    operationId,
    userId,
    clientId,
    detectedAt: deps.clock.now().toISOString(),
    ignoredReason: undefined,
    leftOutOf: undefined,
  };
  const operation = await deps.operations.find(operationId);
  if (operation === undefined || isAwaitedBy(operation, transfer)) return owner;
  if (!hasKnownAddresses(transfer)) return {};
  if (isBelowMinimum(deps, transfer)) return ignoredReason(deposit, 'BELOW_MINIMUM');
  const most = isKnownAsset(deps, transfer) ? MOST_LISTED : MOST_UNKNOWN;
  if ((await deps.countDepositsOf(operationId)) < most) return owner;
  return { ...ignoredReason(deposit, 'TOO_MANY'), leftOutOf: operationId };
}

/** Removes the owner of a second record of a deposit's movement: its client no longer sees this record. */
export function ownerOfDuplicate(deposit: Deposit): Owner {
  const nobody = { operationId: undefined, userId: undefined, clientId: undefined, detectedAt: undefined };
  return { ...nobody, ...ignoredReason(deposit, 'RECORDED_TWICE') };
}

/**
 * True if a person must look at the deposit. A deposit of a known token always needs one, even past the limit of
 * deposits per operation. Other assets past that limit, or at a shared account without a known tag, need nobody:
 * strangers can send any number of them, at no cost.
 */
export function needsAPerson(
  deps: OwnerDependencies,
  { operationId, ignoredReason }: Owner,
  transfer: CustodianTransfer | undefined,
): boolean {
  if (ignoredReason !== undefined && ignoredReason !== 'TOO_MANY') return false;
  if (transfer === undefined) return ignoredReason === undefined;
  return operationId !== undefined || isKnownAsset(deps, transfer);
}

/** True if the stage supports the token on the transfer's network. */
export function isKnownAsset(
  { minimumDeposits }: Pick<OwnerDependencies, 'minimumDeposits'>,
  { assetId }: CustodianTransfer,
): boolean {
  return minimumDeposits[assetId] !== undefined;
}

/** True for dust. An amount with more decimals than its token has is never dust: a person must look at it. */
function isBelowMinimum(
  { minimumDeposits, decimals }: OwnerDependencies,
  { assetId, amount }: CustodianTransfer,
): boolean {
  const [minimum, places = 0] = [minimumDeposits[assetId], decimals[assetId]];
  return minimum !== undefined && decimalPlaces(amount) <= places && compareAmounts(amount, minimum) < 0;
}

/** Sets why the transfer is ignored, and logs a new reason. A metric filter counts these lines by their code. */
function ignoredReason(deposit: Deposit, why: IgnoredReason): Owner {
  const { custodianTransferId } = deposit;
  if (deposit.ignoredReason !== why) log.info('TRANSFER_LEFT_OUT', { custodianTransferId, why });
  return { ignoredReason: why };
}
