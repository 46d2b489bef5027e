import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { type EventSource, statusEvent } from '#shared/events/outbox.ts';
import { hashStatusOf, type OffRamp, type Verification } from './operation.ts';
import type { VerificationReason } from './verification-reason.ts';

/**
 * The events of one write of an off-ramp. `before` is the operation as it was read, `after` as the transaction leaves
 * it. Never personal data (decisions.md 7, Payload).
 */
export function operationEvents(
  source: EventSource,
  before: OffRamp | undefined,
  after: OffRamp,
): { operationEvent?: TransactWriteItem; hashEvent?: TransactWriteItem } {
  const { operationId, userId, clientId, sequence, txHash, verifiedTxHash } = after;
  const [hashBefore, hashAfter] = [before && hashStatusOf(before), hashStatusOf(after)];
  return {
    ...(before?.status !== after.status && {
      operationEvent: statusEvent(
        source,
        { clientId, type: 'ramp.operation.status_changed' },
        { operationId, userId, status: after.status, previousStatus: before?.status ?? null, sequence },
      ),
    }),
    ...(hashBefore !== undefined &&
      hashBefore !== hashAfter && {
        hashEvent: statusEvent(
          source,
          { clientId, type: 'ramp.deposit_hash.status_changed' },
          { operationId, userId, status: hashAfter, previousStatus: hashBefore, sequence, txHash, verifiedTxHash },
        ),
      }),
  };
}

/** The event of a window's end; `operation` as it was read, of which the transaction writes the next sequence. */
export function windowEndedEvent(
  source: EventSource,
  { operationId, userId, clientId, sequence }: OffRamp,
  { attempt, txHash, windowEndsAt }: Verification,
  reason: VerificationReason,
): TransactWriteItem {
  const status = 'VERIFYING';
  return statusEvent(
    source,
    { clientId, type: 'ramp.deposit_hash.window_ended' },
    {
      operationId,
      userId,
      attempt,
      txHash,
      reason,
      windowEndsAt,
      status,
      previousStatus: status,
      sequence: sequence + 1,
    },
  );
}
