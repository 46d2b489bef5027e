import type * as z from 'zod/mini';
import type { getOperation } from './get-operation-contract.ts';
import type { OffRamp } from './operation.ts';
import type { operation as operationSchema } from './operation-contract.ts';

/** An operation as its client sees it. */
export function describeOperation(operation: OffRamp): z.infer<typeof operationSchema> {
  const { operationId, status, network, token, address, amount, createdAt, expiresAt } = operation;
  const { addressTag, originExternalWalletId, externalReference } = operation;
  return {
    id: operationId,
    status,
    network,
    token,
    address,
    ...(addressTag !== undefined && { addressTag }),
    amount,
    expiresAt,
    originExternalWalletId,
    ...(externalReference !== undefined && { externalReference }),
    createdAt,
  };
}

/** The same with every status it has had, oldest first. */
export function describeWithHistory(operation: OffRamp): z.infer<typeof getOperation.success.body>['operation'] {
  return {
    ...describeOperation(operation),
    statusHistory: operation.statusHistory.map(({ status, at, reason }) => ({
      status,
      at,
      ...(reason !== undefined && { reason }),
    })),
  };
}
