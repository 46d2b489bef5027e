import type * as z from 'zod/mini';
import type { event } from '#shared/events/event-envelope.ts';
import { type EventSource, statusEvent } from '#shared/events/event-store.ts';
import {
  depositHashStatusChanged,
  depositHashWindowEnded,
  operationStatusChanged,
} from '#shared/off-ramps/contract/off-ramp-events.ts';
import { fixedAtCreation, hashStatusOf, type OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import type { Mismatch, Verification } from '#shared/off-ramps/model/verification.ts';
import type { TransactionLeg } from '#shared/platform/dynamodb/transaction.ts';

/** The write of what has such events. */
export { lastSequence, lastSequenceBefore, writeWithEvents } from '#shared/events/write-with-events.ts';

/**
 * The events of one write of an off-ramp: `before` as read, `after` as the transaction leaves it. Never personal data
 * (decisions.md 7, Payload).
 */
export function operationEvents(
  source: EventSource,
  before: OffRamp | undefined,
  after: OffRamp,
): { operationEvent?: TransactionLeg; hashEvent?: TransactionLeg } {
  const [hashBefore, hashAfter] = [before && hashStatusOf(before), hashStatusOf(after)];
  return {
    ...(before?.status !== after.status && {
      operationEvent: record(
        source,
        after,
        'ramp.operation.status_changed',
        operationStatusChanged,
        { ...after, previousStatus: before?.status ?? null },
        before === undefined ? { made: fixedAtCreation.parse(after) } : {},
      ),
    }),
    ...(hashBefore !== undefined &&
      hashBefore !== hashAfter && {
        hashEvent: record(source, after, 'ramp.deposit_hash.status_changed', depositHashStatusChanged, {
          ...after,
          status: hashAfter,
          previousStatus: hashBefore,
        }),
      }),
  };
}

/** The event of a window's end; `operation` as read, before the transaction raises its sequence. */
export function windowEndedEvent(
  source: EventSource,
  operation: OffRamp,
  verification: Verification,
  { reason }: Mismatch,
): TransactionLeg {
  return record(source, operation, 'ramp.deposit_hash.window_ended', depositHashWindowEnded, {
    ...operation,
    ...verification,
    reason,
    status: 'VERIFYING',
    previousStatus: 'VERIFYING',
    sequence: operation.sequence + 1,
  });
}

/** An event has only the fields of its schema. */
function record<Type extends string, Data extends z.ZodMiniObject>(
  source: EventSource,
  { clientId }: OffRamp,
  type: NoInfer<Type>,
  { shape }: ReturnType<typeof event<Type, Data>>,
  of: z.input<Data>,
  kept: Readonly<Record<string, unknown>> = {},
): TransactionLeg {
  return statusEvent(source, { clientId, type }, shape.data.parse(of), kept);
}
