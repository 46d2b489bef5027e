import type { ListClientIds } from '#shared/clients/client-directory.ts';
import type { OffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import type { Verifications } from '#shared/off-ramps/store/verification-repository.ts';
import type { RestartOverdue } from '#shared/off-ramps/transitions/verification-executions.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { describe, log } from '#shared/platform/logger.ts';
import { roundRobin, shareAmongConsumers, sweep } from '#shared/platform/sweep.ts';

interface Dependencies {
  readonly operations: Pick<OffRamps, 'findWithVerification'>;
  readonly verifications: Pick<Verifications, 'overdue' | 'removeFromDueIndex'>;
  readonly listClientIds: ListClientIds;
  readonly restartOverdue: RestartOverdue;
  readonly clock: Clock;
}

/** A poll this late means that its execution never started, or died (decisions.md 4, Resubmitting). */
const OVERDUE_SECONDS = 180;

/** Seconds after which a run starts no further restart. Leaves time to finish before the function times out. */
export const RUNS_FOR_SECONDS = 45;

export const RESTARTS_AT_ONCE = 10;

/**
 * Finds verifications whose next poll is long overdue and restarts them. Clients take turns, most overdue first. A
 * failed restart stops no other. The next run continues where this one ends.
 *
 * @returns the number of verifications that it restarted, or tried to restart
 */
export function restartLostVerifications(deps: Dependencies) {
  return async (): Promise<number> => {
    const { verifications, listClientIds, clock } = deps;
    const startedAt = clock.now().getTime();
    const before = new Date(startedAt - OVERDUE_SECONDS * 1000).toISOString();
    const overdue = (await listClientIds()).map((clientId) => verifications.overdue(clientId, before));
    return await sweep(
      shareAmongConsumers(roundRobin(overdue, clock), RESTARTS_AT_ONCE),
      (operationId) => restart(deps, operationId),
      {
        clock,
        until: startedAt + RUNS_FOR_SECONDS * 1000,
        report: notRestarted,
      },
    );
  };
}

function notRestarted(operationId: string, error: unknown): void {
  log.error('VERIFICATION_NOT_RESTARTED', { operationId, cause: describe(error) });
}

async function restart(
  { operations, verifications, restartOverdue }: Dependencies,
  operationId: string,
): Promise<void> {
  const { operation, verification } = (await operations.findWithVerification(operationId)) ?? {};
  if (operation === undefined || verification === undefined) return;
  if (operation.status !== 'AWAITING_DEPOSIT') await verifications.removeFromDueIndex(verification);
  // A higher number in the operation means that the read saw half of a submission: the next run reads all of it. A
  // lower one means that a restore has kept the attempt without the rest of its submission.
  else if (operation.attempt <= verification.attempt) await restartOverdue(verification, OVERDUE_SECONDS);
}
