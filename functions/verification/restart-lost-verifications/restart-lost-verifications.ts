import type { Operations } from '#shared/dynamodb/operations.ts';
import type { Verifications } from '#shared/dynamodb/verifications.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import { describe, log } from '#shared/runtime/logger.ts';
import { whileTimeLasts } from '#shared/runtime/while-time-lasts.ts';
import type { RestartOverdue } from '#shared/step-functions/overdue-verifications.ts';

interface Dependencies {
  readonly operations: Pick<Operations, 'findWithVerification'>;
  readonly verifications: Pick<Verifications, 'overdue' | 'settle'>;
  readonly shards: readonly string[];
  readonly restartOverdue: RestartOverdue;
  readonly clock: Clock;
}

/** A look this late is one whose execution was never started, or died (decisions.md 4, Resubmitting). */
const OVERDUE_SECONDS = 180;

/** Leaves time to finish what was begun before the function's own time is up. */
const RUNS_FOR_SECONDS = 45;

/**
 * Finds verifications whose next look is long overdue and brings each back to life, the most overdue first. One that
 * fails stops no other; what one run does not get to, the next one does.
 *
 * @returns how many it found
 */
export function restartLostVerifications(deps: Dependencies) {
  return async (): Promise<number> => {
    let due = 0;
    const startedAt = deps.clock.now().getTime();
    const endsAt = startedAt + RUNS_FOR_SECONDS * 1000;
    const before = new Date(startedAt - OVERDUE_SECONDS * 1000).toISOString();
    await Promise.all(
      deps.shards.map(async (shard) => {
        const overdue = whileTimeLasts(deps.verifications.overdue(shard, before), deps.clock, endsAt);
        for await (const operationId of overdue) {
          due += 1;
          await healOrReport(deps, operationId);
        }
      }),
    );
    return due;
  };
}

async function healOrReport(deps: Dependencies, operationId: string): Promise<void> {
  try {
    await heal(deps, operationId);
  } catch (error) {
    log.error('VERIFICATION_NOT_RESTARTED', { operationId, cause: describe(error) });
  }
}

async function heal({ operations, verifications, restartOverdue }: Dependencies, operationId: string): Promise<void> {
  const { operation, verification } = (await operations.findWithVerification(operationId)) ?? {};
  if (operation === undefined || verification === undefined) return;
  const isCurrent = operation.status === 'AWAITING_DEPOSIT' && operation.attempt === verification.attempt;
  if (isCurrent) await restartOverdue(verification, OVERDUE_SECONDS);
  else await verifications.settle(verification);
}
