import { type Check, checksOf } from '#shared/off-ramps/contract/hash-answer.ts';
import { transferOf } from '#shared/off-ramps/model/deposit.ts';
import { isSentTo } from '#shared/off-ramps/model/deposit-match.ts';
import type { FindDeposit } from '#shared/off-ramps/store/deposit-repository.ts';
import type { OffRampState } from '#shared/off-ramps/store/off-ramp-repository.ts';

export interface EvidenceDependencies {
  readonly findFundingDeposit: (txHash: string) => Promise<string>;
  readonly findDeposit: FindDeposit;
}

/**
 * Returns the checks of the verified deposit or, without one, of the deposit that the last poll saw (decisions.md 9,
 * Evidence). They are derived from the deposit as it is now, and not stored. A transfer that does not go (or no longer
 * goes) to the operation's own address has none.
 */
export async function findChecks(
  { findFundingDeposit, findDeposit }: EvidenceDependencies,
  { operation, verification }: OffRampState,
): Promise<readonly Check[] | undefined> {
  const { verifiedTxHash } = operation;
  const isVerified = verifiedTxHash !== undefined;
  const id = isVerified ? await findFundingDeposit(verifiedTxHash) : verification?.seenTransferId;
  const deposit = id === undefined ? undefined : await findDeposit(id);
  const transfer = deposit && transferOf(deposit);
  if (transfer === undefined || !isSentTo(operation, transfer)) return undefined;
  // The hash may have been polled later than the deposit: take the higher count.
  const counted = isVerified ? undefined : verification?.confirmations;
  const confirmations = Math.max(transfer.confirmations ?? 0, counted ?? 0);
  const isCounted = transfer.confirmations !== undefined || counted !== undefined;
  return checksOf(operation, isCounted ? { ...transfer, confirmations } : transfer);
}
