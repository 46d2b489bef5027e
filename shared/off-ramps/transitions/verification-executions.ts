import { ExecutionAlreadyExists, type SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { attemptInput, executionName, type Verification } from '#shared/off-ramps/model/verification.ts';
import type { Verifications } from '#shared/off-ramps/store/verification-repository.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { describe, log } from '#shared/platform/logger.ts';

/**
 * Makes sure that the execution of a run was started. RUNNING: it runs, started now or earlier. TAKEN: its name
 * belongs to an execution that has ended or, after a restore, to one of an attempt that was undone. AWS accepts a
 * second start of a running execution with the same input, so the status is never read: AWS allows 15 reads per second,
 * in most regions 10, which is too few after an outage.
 */
export function createStartExecution(stepFunctions: SFNClient, stateMachineArn: string) {
  return async (verification: Verification): Promise<'RUNNING' | 'TAKEN'> => {
    const name = executionName(verification);
    try {
      await stepFunctions.send(
        new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(attemptInput.parse(verification)) }),
      );
      return 'RUNNING';
    } catch (error) {
      if (error instanceof ExecutionAlreadyExists) return 'TAKEN';
      throw error;
    }
  };
}

export type StartExecution = ReturnType<typeof createStartExecution>;

/** Waits for a start and only logs its failure: the hash is stored, so the sweep or a repeated call starts it later. */
export async function startOrLogFailure(
  { operationId, attempt }: Verification,
  start: Promise<unknown>,
): Promise<void> {
  try {
    await start;
  } catch (error) {
    log.warn('VERIFICATION_START_FAILED', { operationId, attempt, cause: describe(error) });
  }
}

interface Dependencies {
  readonly verifications: Pick<Verifications, 'beginRun'>;
  readonly startExecution: StartExecution;
  readonly clock: Clock;
}

/**
 * Restarts a verification whose next poll is this many seconds overdue (decisions.md 4, Resubmitting): starts its
 * execution if it never was, or begins the next run of the same attempt if it broke off. An outage of the service costs
 * the client no attempt. Of several concurrent callers, one does it.
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
