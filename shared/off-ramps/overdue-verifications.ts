import type { Clock } from '#shared/platform/clock.ts';
import { log } from '#shared/platform/logger.ts';
import type { Verification } from './verification.ts';
import type { StartExecution } from './verification-executions.ts';
import type { Verifications } from './verification-store.ts';

interface Dependencies {
  readonly verifications: Pick<Verifications, 'beginRun'>;
  readonly startExecution: StartExecution;
  readonly clock: Clock;
}

/**
 * Brings a verification back whose next look is so many seconds overdue (decisions.md 4, Resubmitting): its execution is
 * started if it never was, and followed by the next run of the same attempt if it broke off. An outage of ours costs the
 * client no attempt. Whoever else is at the same, one of them does it.
 */
export function createRestartOverdue({ verifications, startExecution, clock }: Dependencies) {
  return async (verification: Verification, overdueSeconds: number): Promise<void> => {
    const { operationId, attempt, run, nextCheckAt } = verification;
    const now = clock.now();
    if (nextCheckAt === undefined || now.getTime() - Date.parse(nextCheckAt) <= overdueSeconds * 1000) return;
    if ((await startExecution(verification)) === 'RUNNING') {
      log.warn('VERIFICATION_OVERDUE', { operationId, attempt, run, why: 'Started now, or running and late.' });
      return;
    }
    const next = await verifications.beginRun(verification, now);
    if (next === undefined) return;
    await startExecution(next);
    log.warn('VERIFICATION_RESTARTED', { operationId, attempt, run: next.run });
  };
}

export type RestartOverdue = ReturnType<typeof createRestartOverdue>;
