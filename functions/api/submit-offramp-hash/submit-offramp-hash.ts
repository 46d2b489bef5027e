import type { submitOfframpHash as contract } from '#shared/contracts/offramp-hash.ts';
import { type OffRamp, type Verification, windowEndFor } from '#shared/domain/operation.ts';
import { invalid, Refusal } from '#shared/domain/refusal.ts';
import { normaliseTransactionHash, transactionHashFormat } from '#shared/domain/transaction-hash.ts';
import type { BeginAttempt } from '#shared/dynamodb/begin-attempt.ts';
import { decideAgain } from '#shared/dynamodb/decide-again.ts';
import type { OffRampState, Operations } from '#shared/dynamodb/operations.ts';
import type { UseCase } from '#shared/http/endpoint.ts';
import { ownedOffRamp } from '#shared/http/owned-off-ramp.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import { describe, log } from '#shared/runtime/logger.ts';
import type { StartExecution } from '#shared/step-functions/verification-executions.ts';

interface Dependencies {
  readonly operations: Pick<Operations, 'findWithVerification'>;
  readonly beginAttempt: BeginAttempt;
  readonly startExecution: StartExecution;
  readonly clock: Clock;
  /** Seconds: the window of a submission after `expiresAt`. */
  readonly lateWindowSeconds: number;
}

export function submitOfframpHash(deps: Dependencies): UseCase<typeof contract> {
  return async ({ clientId, path, body }) => {
    const owned = () => ownedOffRamp(deps.operations, clientId, path);
    const { operation } = await owned();
    const txHash = parseHash(operation, body().txHash);
    await decideAgain(deps.clock, async () => declare(deps, await owned(), txHash));
    return { body: { operationId: operation.operationId, txHash, status: 'VERIFYING' } };
  };
}

function parseHash(operation: OffRamp, text: string): string {
  const txHash = normaliseTransactionHash(operation.network, text);
  if (txHash !== undefined) return txHash;
  throw invalid({
    path: 'body.txHash',
    code: 'INVALID_FORMAT',
    message: `must be a transaction hash of ${operation.network}: ${transactionHashFormat(operation.network)}`,
  });
}

/** Sees to it that an attempt verifies the hash: the current one while its window is open, else a new one. */
async function declare(deps: Dependencies, state: OffRampState, txHash: string): Promise<void> {
  const { operation, verification } = state;
  if (operation.status !== 'AWAITING_DEPOSIT') throw new Refusal('OPERATION_NOT_AWAITING_DEPOSIT');
  const now = deps.clock.now();
  const isOpen = verification !== undefined && now.toISOString() < verification.windowEndsAt;
  if (!isOpen || operation.txHash !== txHash) {
    const windowEndsAt = windowEndFor(operation, now, deps.lateWindowSeconds);
    await start(deps, await deps.beginAttempt(state, { txHash, windowEndsAt }));
    return;
  }
  const isDead = (await start(deps, verification)) === 'CLOSED';
  if (isDead) await start(deps, await deps.beginAttempt(state, { txHash, windowEndsAt: verification.windowEndsAt }));
}

/** The hash is on record, so a start that fails now is not lost: the same call or the sweep makes up for it. */
async function start({ startExecution }: Dependencies, verification: Verification): Promise<'CLOSED' | undefined> {
  try {
    return (await startExecution(verification)) === 'CLOSED' ? 'CLOSED' : undefined;
  } catch (error) {
    const { operationId, attempt } = verification;
    log.warn('VERIFICATION_START_FAILED', { operationId, attempt, cause: describe(error) });
    return undefined;
  }
}
