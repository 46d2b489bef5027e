import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Mismatch, Verification } from '#shared/off-ramps/model/verification.ts';
import { windowEndedEvent, writeWithEvents } from '#shared/off-ramps/store/off-ramp-event-records.ts';
import { advanceSequence, createOffRampRepository } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { endAttempt, type RecordedPoll } from '#shared/off-ramps/store/verification-repository.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { retryOnConflict, WriteConflict } from '#shared/platform/dynamodb/transaction.ts';

/**
 * Records the last poll of an attempt and ends the attempt, in one transaction with its event
 * (decisions.md 4, End of the window). Returns false when there is nothing to end: the attempt has ended or was replaced, or the operation no
 * longer awaits a deposit. So each attempt has at most one such event.
 */
export function createEndWindow(
  dynamo: DynamoDBDocumentClient,
  tables: { readonly operations: string; readonly events: string },
  clock: Clock,
) {
  const operations = createOffRampRepository(dynamo, tables.operations);
  return (
    { operationId, attempt, windowStartsAt }: Pick<Verification, 'operationId' | 'attempt' | 'windowStartsAt'>,
    poll: Omit<RecordedPoll, 'nextCheckAt'> & { readonly mismatch: Mismatch },
  ): Promise<boolean> =>
    retryOnConflict(clock, async () => {
      const { operation, verification } = (await operations.findWithVerification(operationId)) ?? {};
      if (operation?.status !== 'AWAITING_DEPOSIT' || verification?.attempt !== attempt) return false;
      if (verification.windowStartsAt !== windowStartsAt || verification.nextCheckAt === undefined) return false;
      const source = { table: tables.events, now: clock.now() };
      const lost = await writeWithEvents(dynamo, {
        operation: advanceSequence(tables.operations, operation),
        verification: endAttempt(tables.operations, verification, poll),
        event: windowEndedEvent(source, operation, verification, poll.mismatch),
      });
      if (lost.size > 0) throw new WriteConflict([...lost].join());
      return true;
    });
}

export type EndWindow = ReturnType<typeof createEndWindow>;
