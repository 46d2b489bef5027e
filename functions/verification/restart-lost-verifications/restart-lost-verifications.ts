import { Refusal } from '#shared/domain/refusal.ts';
import type { BeginAttempt } from '#shared/dynamodb/begin-attempt.ts';
import type { Operations } from '#shared/dynamodb/operations.ts';
import { WriteConflict } from '#shared/dynamodb/transaction.ts';
import type { Verifications } from '#shared/dynamodb/verifications.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import { describe, log } from '#shared/runtime/logger.ts';
import type { StartExecution } from '#shared/step-functions/verification-executions.ts';

interface Dependencies {
  readonly operations: Pick<Operations, 'findWithVerification'>;
  readonly verifications: Pick<Verifications, 'overdue' | 'settle'>;
  readonly shards: readonly string[];
  readonly beginAttempt: BeginAttempt;
  readonly startExecution: StartExecution;
  readonly clock: Clock;
}

/** A look this late is one whose execution was never started, or died (decisions.md 4, Resubmitting). */
const OVERDUE_SECONDS = 180;

/** Finds verifications whose next look is long overdue and brings each back to life. One that fails stops no other. */
export function restartLostVerifications(deps: Dependencies) {
  return async (): Promise<void> => {
    const before = new Date(deps.clock.now().getTime() - OVERDUE_SECONDS * 1000).toISOString();
    await Promise.all(
      deps.shards.map(async (shard) => {
        for await (const operationId of deps.verifications.overdue(shard, before)) {
          await healOrReport(deps, operationId, before);
        }
      }),
    );
  };
}

async function healOrReport(deps: Dependencies, operationId: string, before: string): Promise<void> {
  try {
    await heal(deps, operationId, before);
  } catch (error) {
    if (error instanceof WriteConflict) return; // Somebody else is at it; if not, the next sweep is.
    log.error('VERIFICATION_NOT_RESTARTED', { operationId, cause: describe(error) });
  }
}

async function heal(deps: Dependencies, operationId: string, before: string): Promise<void> {
  const state = await deps.operations.findWithVerification(operationId);
  const { operation, verification } = state ?? {};
  if (state === undefined || operation === undefined || verification === undefined) return;
  if (operation.status !== 'AWAITING_DEPOSIT' || operation.attempt !== verification.attempt) {
    await deps.verifications.settle(verification);
    return;
  }
  if (verification.nextCheckAt === undefined || verification.nextCheckAt >= before) return;
  const execution = await deps.startExecution(verification);
  if (execution === 'STARTED') log.warn('VERIFICATION_RESTARTED', { operationId, attempt: verification.attempt });
  if (execution !== 'CLOSED') return;
  try {
    const next = await deps.beginAttempt(state, verification);
    await deps.startExecution(next);
    log.warn('VERIFICATION_RESTARTED', { operationId, attempt: next.attempt });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await deps.verifications.settle(verification);
    log.error('VERIFICATION_GIVEN_UP', { operationId, attempt: verification.attempt, refusal: error.code });
  }
}
