import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { expireAt, type OffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { retryOnConflict, transact, WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { type BeginAttempt, refuseTooManyAttempts } from './begin-attempt.ts';
import { type StartExecution, startOrLogFailure } from './verification-executions.ts';

interface Dependencies {
  readonly operations: Pick<OffRamps, 'findWithVerification'>;
  readonly beginAttempt: BeginAttempt;
  readonly startExecution: StartExecution;
  readonly clock: Clock;
}

/**
 * Ends the window of an operation now. A reported hash is checked once more, in a new attempt whose window is already
 * over, so that the window ends in the usual way. A repeated call completes one that broke off.
 *
 * @returns the changed operation; `undefined` when it does not await a deposit @throws {AttemptRefused}
 */
export function createExpireOperation(dynamo: DynamoDBDocumentClient, table: string, deps: Dependencies) {
  const { operations, beginAttempt, startExecution, clock } = deps;

  const expired = async (seen: OffRamp, now: string): Promise<OffRamp> => {
    if (seen.expiresAt <= now) return seen;
    const lost = await transact(dynamo, { operation: expireAt(table, seen, now) });
    if (lost.size > 0) throw new WriteConflict([...lost].join());
    return { ...seen, expiresAt: now, sequence: seen.sequence + 1 };
  };

  return (seen: OffRamp): Promise<OffRamp | undefined> =>
    retryOnConflict(clock, async () => {
      const current = await operations.findWithVerification(seen.operationId);
      if (current?.operation.status !== 'AWAITING_DEPOSIT') return undefined;
      const { txHash } = current.operation;
      if (txHash !== undefined) refuseTooManyAttempts(current.operation);
      const now = clock.now().toISOString();
      const operation = await expired(current.operation, now);
      if (txHash === undefined) return operation;
      const attempt = await beginAttempt({ ...current, operation }, { txHash, windowEndsAt: now });
      await startOrLogFailure(attempt, startExecution(attempt));
      return operation;
    });
}

export type ExpireOperation = ReturnType<typeof createExpireOperation>;
