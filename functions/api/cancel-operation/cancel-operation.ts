import type { cancelOperation as contract } from '#shared/contracts/cancel-operation.ts';
import { describeWithHistory } from '#shared/contracts/operation-answer.ts';
import { CustodianUnavailable, type FindTransfers } from '#shared/custodian/custodian.ts';
import { isAwaitedBy, isKnown } from '#shared/domain/deposit-match.ts';
import type { OffRamp } from '#shared/domain/operation.ts';
import { Refusal } from '#shared/domain/refusal.ts';
import type { Deposits } from '#shared/dynamodb/deposits.ts';
import type { EndOperation } from '#shared/dynamodb/end-operation.ts';
import type { Operations } from '#shared/dynamodb/operations.ts';
import { retryOnConflict } from '#shared/dynamodb/retry-on-conflict.ts';
import { ownedOffRamp } from '#shared/http/owned-off-ramp.ts';
import type { UseCase } from '#shared/http/use-case.ts';
import type { Clock } from '#shared/runtime/clock.ts';

interface Dependencies {
  readonly operations: Pick<Operations, 'findWithVerification'>;
  readonly deposits: Pick<Deposits, 'isArrivingFor'>;
  readonly findTransfers: FindTransfers;
  readonly endOperation: EndOperation;
  readonly clock: Clock;
}

/** Money that is on its way must not meet a cancelled operation: what the custodian has seen is asked for now. */
export function cancelOperation(deps: Dependencies): UseCase<typeof contract> {
  return ({ clientId, path }) =>
    retryOnConflict(deps.clock, async () => {
      const { operation } = await ownedOffRamp(deps.operations, clientId, path);
      if (operation.status !== 'AWAITING_DEPOSIT') throw new Refusal('OPERATION_NOT_AWAITING_DEPOSIT');
      if ((await deps.deposits.isArrivingFor(operation)) || (await isReportedDepositThere(deps, operation))) {
        throw new Refusal('DEPOSIT_IN_PROGRESS');
      }
      const cancelled = await deps.endOperation(operation, { status: 'CANCELLED', reason: 'CANCELLED_BY_CLIENT' });
      return { body: { operation: describeWithHistory(cancelled) } };
    });
}

/** A custodian that does not answer cannot say that there is none. */
async function isReportedDepositThere({ findTransfers }: Dependencies, operation: OffRamp): Promise<boolean> {
  const { txHash, network, createdAt } = operation;
  if (txHash === undefined) return false;
  try {
    const transfers = await findTransfers({ network, txHash, since: createdAt });
    return transfers.some(
      (transfer) => transfer.state !== 'FAILED' && (!isKnown(transfer) || isAwaitedBy(operation, transfer)),
    );
  } catch (error) {
    if (!(error instanceof CustodianUnavailable)) throw error;
    throw new Refusal('SERVICE_UNAVAILABLE', { retryAfterSeconds: 5, cause: error });
  }
}
