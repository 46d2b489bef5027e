import type { Network, NetworkRules } from '#shared/networks/network.ts';
import { type Check, checksOf } from '#shared/off-ramps/contract/hash-answer.ts';
import { transferOf } from '#shared/off-ramps/model/deposit.ts';
import { isSentTo } from '#shared/off-ramps/model/deposit-match.ts';
import type { FindDeposit } from '#shared/off-ramps/store/deposit-repository.ts';
import type { OffRampState } from '#shared/off-ramps/store/off-ramp-repository.ts';

export interface Evidence {
  readonly findDeposit: FindDeposit;
  readonly networkRules: Readonly<Record<Network, NetworkRules>>;
}

/**
 * The checks of the verified deposit or, without one, of the deposit of the last poll (decisions.md 9, Evidence). They
 * are derived from the deposit as it is now, and not stored. A transfer that does not go to the operation's own address
 * (any more) has none.
 */
export async function findChecks(
  { findDeposit, networkRules }: Evidence,
  { operation, verification }: OffRampState,
): Promise<readonly Check[] | undefined> {
  const isVerified = operation.verifiedTxHash !== undefined;
  const id = isVerified ? operation.verifiedTransferId : verification?.seenTransferId;
  const deposit = id === undefined ? undefined : await findDeposit(id);
  const transfer = deposit && transferOf(deposit);
  if (transfer === undefined || !isSentTo(operation, transfer)) return undefined;
  // The hash may have been polled after the deposit.
  const counted = isVerified ? 0 : (verification?.confirmations ?? 0);
  const confirmations = Math.max(transfer.confirmations, counted);
  return checksOf(operation, { ...transfer, confirmations }, networkRules[operation.network].minimumConfirmations);
}
