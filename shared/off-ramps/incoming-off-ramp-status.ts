import * as z from 'zod/mini';
import { COMPLIANCE, envelopeId, eventIdOf, PAYOUTS } from '#shared/events/incoming-events.ts';
import { documentValues } from '#shared/platform/http/document.ts';
import { id } from '#shared/platform/http/fields.ts';
import { endStatuses, type OperationStatus, operationStatuses } from './off-ramp.ts';
import type { Payout } from './payout.ts';
import { readPayout } from './received-payout.ts';

export const OPERATION_STATUS = 'operation.status';
export const PAYOUT_RETURNED = 'operation.payout_returned';

/** Characters. */
const LONGEST_REASON = 255;

/** Read by clients, in the operation's status history. */
export const statusReason = z.string().check(z.minLength(1), z.maxLength(LONGEST_REASON));

/** The same from another service. A bad reason never stops the change: what is no text is dropped, a long one is cut. */
const receivedReason = z.pipe(
  z.unknown(),
  z.transform((value) =>
    typeof value === 'string' && value !== '' ? [...value].slice(0, LONGEST_REASON).join('') : undefined,
  ),
);

export const endStatus = z.enum(endStatuses);

documentValues('OperationEndStatus', endStatus, 'A status that an off-ramp ends in.', {
  COMPLETED: 'It was paid out.',
  CANCELLED: 'It was cancelled.',
  FAILED: 'It failed.',
});

const source = z.enum([COMPLIANCE, PAYOUTS]);

const detail = {
  operationId: id,
  eventId: z.optional(z.unknown()),
  reason: z.optional(receivedReason),
  payout: z.optional(z.pipe(z.unknown(), z.transform(readPayout))),
};

/** An off-ramp moved on, or ended. Other members of the EventBridge envelope are ignored. */
export const operationStatusEvent = z.object({
  id: envelopeId,
  source,
  'detail-type': z.literal(OPERATION_STATUS),
  detail: z.object({ ...detail, status: z.enum(operationStatuses) }),
});

/** Money that was paid out has come back. */
export const payoutReturnedEvent = z.object({
  id: envelopeId,
  source,
  'detail-type': z.literal(PAYOUT_RETURNED),
  detail: z.object(detail),
});

/** What another service says of an operation. */
export interface Said {
  readonly operationId: string;
  readonly eventId: string;
  readonly source: string;
  readonly status: OperationStatus | 'PAYOUT_RETURNED';
  readonly reason?: string | undefined;
  readonly payout?: Payout | undefined;
}

/** What an event says, by a name of it that is the same however often it comes. */
export function saidBy(event: z.infer<typeof operationStatusEvent> | z.infer<typeof payoutReturnedEvent>): Said {
  const { operationId, eventId, reason, payout } = event.detail;
  const status = event['detail-type'] === OPERATION_STATUS ? event.detail.status : 'PAYOUT_RETURNED';
  const said = { operationId, source: event.source, status, reason, payout } as const;
  return { ...said, eventId: eventIdOf(eventId, event.id, said) };
}
