import {
  describeOperationWithHistory,
  type getOperationContract,
} from '#shared/off-ramps/contract/off-ramp-contract.ts';
import type { OffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { ownedOffRamp } from '#shared/off-ramps/store/owned-off-ramp.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';

export function getOperation(operations: Pick<OffRamps, 'findWithVerification'>): UseCase<typeof getOperationContract> {
  return async ({ clientId, path }) => {
    const { operation } = await ownedOffRamp(operations, clientId, path);
    return { body: { operation: describeOperationWithHistory(operation) } };
  };
}
