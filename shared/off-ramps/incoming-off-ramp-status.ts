import * as z from 'zod/mini';
import { COMPLIANCE, PAYOUTS } from '#shared/events/incoming-events.ts';
import { documentValues } from '#shared/platform/http/document.ts';
import { id } from '#shared/platform/http/fields.ts';
import { endStatuses, operationStatuses } from './off-ramp.ts';

export const OPERATION_STATUS = 'operation.status';

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

/** An off-ramp moved on, or ended. Other members of the EventBridge envelope are ignored. */
export const operationStatusEvent = z.object({
  source: z.enum([COMPLIANCE, PAYOUTS]),
  'detail-type': z.literal(OPERATION_STATUS),
  detail: z.object({ operationId: id, status: z.enum(operationStatuses), reason: z.optional(receivedReason) }),
});

export type OperationStatusChange = z.infer<typeof operationStatusEvent>['detail'];
