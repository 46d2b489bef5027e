import {
  type cancelOperationContract,
  describeOperationWithHistory,
  offRampErrors,
} from '#shared/off-ramps/contract/off-ramp-contract.ts';
import { orServiceUnavailable } from '#shared/off-ramps/custodians/or-service-unavailable.ts';
import type { OffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { ownedOffRamp } from '#shared/off-ramps/store/owned-off-ramp.ts';
import type { IsDepositOnItsWay } from '#shared/off-ramps/transitions/deposit-on-its-way.ts';
import type { EndOperation } from '#shared/off-ramps/transitions/end-operation.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { retryOnConflict } from '#shared/platform/dynamodb/transaction.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';

interface Dependencies {
  readonly operations: Pick<OffRamps, 'findWithVerification'>;
  readonly isDepositOnItsWay: IsDepositOnItsWay;
  readonly endOperation: EndOperation;
  readonly clock: Clock;
}

/** Cancels an operation. Asks the custodian first: a deposit on its way must not reach a cancelled operation. */
export function cancelOperation(deps: Dependencies): UseCase<typeof cancelOperationContract> {
  return ({ clientId, path }) =>
    retryOnConflict(deps.clock, async () => {
      const { operation } = await ownedOffRamp(deps.operations, clientId, path);
      if (operation.status !== 'AWAITING_DEPOSIT') throw new ApiError(offRampErrors.OPERATION_NOT_AWAITING_DEPOSIT);
      // Throws if the custodian gives no readable answer: then nobody knows whether there is a deposit.
      if (await orServiceUnavailable(deps.isDepositOnItsWay(operation)))
        throw new ApiError(offRampErrors.DEPOSIT_IN_PROGRESS);
      const cancelled = await deps.endOperation(operation, { status: 'CANCELLED', reason: 'CANCELLED_BY_CLIENT' });
      return { body: { operation: describeOperationWithHistory(cancelled) } };
    });
}
