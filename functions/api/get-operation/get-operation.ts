import type { getOperation as contract } from '#shared/contracts/get-operation.ts';
import { describeWithHistory } from '#shared/contracts/operation-answer.ts';
import type { Operations } from '#shared/dynamodb/operations.ts';
import { ownedOffRamp } from '#shared/http/owned-off-ramp.ts';
import type { UseCase } from '#shared/http/use-case.ts';

export function getOperation(operations: Pick<Operations, 'findWithVerification'>): UseCase<typeof contract> {
  return async ({ clientId, path }) => {
    const { operation } = await ownedOffRamp(operations, clientId, path);
    return { body: { operation: describeWithHistory(operation) } };
  };
}
