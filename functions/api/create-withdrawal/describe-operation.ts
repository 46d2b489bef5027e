import type * as z from 'zod/mini';
import type { operation as operationSchema } from '#shared/contracts/withdrawal.ts';
import type { OffRamp } from '#shared/domain/operation.ts';

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
