import { HASH_PREFIX } from '#shared/off-ramps/deposit-polls.ts';
import type { Deposits } from '#shared/off-ramps/deposit-store.ts';
import type { readDeposit as contract } from '#shared/operators/deposit-lookup.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { depositNextStep } from './deposit-next-step.ts';
import { describeDeposit } from './describe-deposit.ts';

export function readDeposit(deposits: Pick<Deposits, 'find'>): UseCase<typeof contract> {
  return async ({ query }) => {
    const { deposit: custodianTransferId } = query();
    const found = custodianTransferId.startsWith(HASH_PREFIX) ? undefined : await deposits.find(custodianTransferId);
    if (found === undefined) {
      throw new ApiError('NOT_FOUND', {
        detail: 'The custodian has notified no transfer with this id. Look at the operation first.',
      });
    }
    const { operationId, clientId, userId } = found;
    return {
      body: { ...found, ...describeDeposit(found), next: depositNextStep(found) },
      ids: { operationId, clientId, userId, custodianTransferId },
    };
  };
}
