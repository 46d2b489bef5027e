import type * as z from 'zod/mini';
import type { getOfframpHash as contract } from '#shared/off-ramps/offramp-hash-contract.ts';
import { hashStatusOf } from '#shared/off-ramps/operation.ts';
import type { OffRampState, Operations } from '#shared/off-ramps/operation-store.ts';
import { ownedOffRamp } from '#shared/off-ramps/owned-off-ramp.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';

type HashAnswer = z.infer<typeof contract.success.body>;

export function getOfframpHash(operations: Pick<Operations, 'findWithVerification'>): UseCase<typeof contract> {
  return async ({ clientId, path }) => {
    const state = await ownedOffRamp(operations, clientId, path);
    const { operation } = state;
    const verification = describeVerification(state);
    return {
      body: {
        operationId: operation.operationId,
        operationStatus: operation.status,
        txHash: operation.txHash ?? null,
        verifiedTxHash: operation.verifiedTxHash ?? null,
        status: hashStatusOf(operation),
        ...(verification && { verification }),
      },
    };
  };
}

/** Says nothing that is over: no reason once verified, no next look once none is to come. */
function describeVerification({ operation, verification }: OffRampState): HashAnswer['verification'] {
  const { txHash, verifiedTxHash } = operation;
  if (verifiedTxHash !== undefined && verifiedTxHash !== txHash) return { source: 'DETECTED' };
  if (verification === undefined) return undefined;
  const { attempt, windowEndsAt, lastCheckedAt, reason, confirmations, requiredConfirmations } = verification;
  const { nextCheckAt } = verification;
  const isVerified = verifiedTxHash !== undefined;
  const isVerifying = hashStatusOf(operation) === 'VERIFYING';
  return {
    source: 'REPORTED',
    ...(isVerifying && { state: nextCheckAt === undefined ? 'WINDOW_ENDED' : 'ACTIVE' }),
    attempt,
    windowEndsAt,
    ...(lastCheckedAt !== undefined && { lastCheckedAt }),
    ...(reason !== undefined && !isVerified && { reason, confirmations, requiredConfirmations }),
    ...(nextCheckAt !== undefined && isVerifying && { nextCheckAt }),
  };
}
