import type * as z from 'zod/mini';
import {
  type getOfframpHashContract,
  verificationProgress,
} from '#shared/off-ramps/contract/off-ramp-hash-contract.ts';
import { hashStatusOf } from '#shared/off-ramps/model/off-ramp.ts';
import type { OffRampState, OffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { ownedOffRamp } from '#shared/off-ramps/store/owned-off-ramp.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { type EvidenceDependencies, findChecks } from './find-checks.ts';

interface Dependencies extends EvidenceDependencies {
  readonly operations: Pick<OffRamps, 'findWithVerification'>;
}

export function getOfframpHash({ operations, ...evidence }: Dependencies): UseCase<typeof getOfframpHashContract> {
  return async ({ clientId, path }) => {
    const state = await ownedOffRamp(operations, clientId, path);
    const { operation } = state;
    const verification = describeVerification(state);
    const checks = verification && (await findChecks(evidence, state));
    return {
      body: {
        operationId: operation.operationId,
        operationStatus: operation.status,
        txHash: state.verification?.txHash ?? null,
        verifiedTxHash: operation.verifiedTxHash ?? null,
        status: hashStatusOf(operation),
        ...(verification && { verification: { ...verification, ...(checks && { checks }) } }),
      },
    };
  };
}

/** Leaves out fields that no longer apply: the reason once the hash is verified, the next check after the last one. */
function describeVerification({
  operation,
  verification,
}: OffRampState): z.infer<typeof verificationProgress> | undefined {
  const { verifiedTxHash } = operation;
  if (verifiedTxHash !== undefined && verifiedTxHash !== verification?.txHash) return { source: 'DETECTED' };
  if (verification === undefined) return undefined;
  const hashStatus = hashStatusOf(operation);
  return verificationProgress.parse({
    ...verification,
    source: 'REPORTED',
    ...(hashStatus === 'VERIFYING'
      ? { state: verification.nextCheckAt === undefined ? 'WINDOW_ENDED' : 'ACTIVE' }
      : { nextCheckAt: undefined }),
    ...(hashStatus === 'VERIFIED' && { reason: undefined, confirmations: undefined, requiredConfirmations: undefined }),
  });
}
