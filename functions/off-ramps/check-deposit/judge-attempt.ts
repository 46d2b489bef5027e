import type { Network, NetworkRules } from '#shared/networks/network.ts';
import type { FindAddressOwners } from '#shared/off-ramps/assigned-addresses.ts';
import { CustodianUnavailable, type FindTransfers } from '#shared/off-ramps/custodians/custodian.ts';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian-transfer.ts';
import { isSentTo, judgeDeposit } from '#shared/off-ramps/deposit-match.ts';
import type { OffRamp } from '#shared/off-ramps/off-ramp.ts';
import type { AttemptInput } from '#shared/off-ramps/verification.ts';
import { describe, log } from '#shared/platform/logger.ts';

export interface Judging {
  readonly findTransfers: FindTransfers;
  readonly findAddressOwners: FindAddressOwners;
  readonly networkRules: Readonly<Record<Network, NetworkRules>>;
}

/** What the custodian knows of the attempt's hash, judged by the transfers that its client may see. */
export async function judgeAttempt(
  { findTransfers, findAddressOwners, networkRules }: Judging,
  { network, txHash, attempt }: AttemptInput,
  operation: OffRamp,
): Promise<ReturnType<typeof judgeDeposit>> {
  try {
    const transfers = await findTransfers({ network, txHash, since: operation.createdAt });
    const disclosable = await disclosableTo(operation, transfers, findAddressOwners);
    return judgeDeposit(operation, disclosable, networkRules[network].minimumConfirmations);
  } catch (error) {
    if (!(error instanceof CustodianUnavailable)) throw error;
    log.warn('CUSTODIAN_UNAVAILABLE', { operationId: operation.operationId, attempt, cause: describe(error) });
    return { reason: 'CUSTODIAN_UNAVAILABLE' };
  }
}

/**
 * Anybody can report a public hash (decisions.md 4, Reasons while not verified): a transfer to another client's address
 * is never disclosed. Neither is one to an address that is not assigned yet, because it may become another client's.
 */
async function disclosableTo(
  operation: OffRamp,
  transfers: readonly CustodianTransfer[],
  findAddressOwners: FindAddressOwners,
): Promise<readonly CustodianTransfer[]> {
  const isDisclosable = async (transfer: CustodianTransfer) => {
    if (isSentTo(operation, transfer)) return true;
    const owners = await findAddressOwners(transfer);
    return owners?.every(({ clientId }) => clientId === operation.clientId) ?? false;
  };
  const disclosable = await Promise.all(transfers.map(isDisclosable));
  return transfers.filter((_, position) => disclosable[position]);
}
