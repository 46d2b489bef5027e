import type { CustodianTransfer } from './custodians/custodian-transfer.ts';
import { type DepositReason, depositReasons } from './deposit.ts';
import { missedFacts } from './deposit-match.ts';
import type { OffRamp } from './off-ramp.ts';

/**
 * Why a final transfer to the address of an operation does not fund it (decisions.md 9, Reasons of UNMATCHED): all that
 * hold. `funded` is the operation that its transaction funds; another client's is not told of.
 */
export function unmatchedReasons(
  operation: OffRamp,
  transfer: CustodianTransfer,
  funded: OffRamp | undefined,
): readonly DepositReason[] {
  const missed = new Set<string>(missedFacts(operation, transfer));
  const { status, verifiedTxHash, operationId, clientId } = operation;
  const holds: Readonly<Record<DepositReason, boolean>> = {
    WRONG_TOKEN: missed.has('WRONG_TOKEN'),
    WRONG_AMOUNT: missed.has('WRONG_AMOUNT'),
    WRONG_SENDER: missed.has('WRONG_SENDER'),
    ALREADY_FUNDED: verifiedTxHash !== undefined,
    OPERATION_ENDED: status === 'CANCELLED' || status === 'FAILED',
    FUNDS_ANOTHER_OPERATION: funded !== undefined && funded.operationId !== operationId && funded.clientId === clientId,
  };
  return depositReasons.filter((reason) => holds[reason]);
}
