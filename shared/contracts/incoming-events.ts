import * as z from 'zod/mini';
import { endStatuses, operationStatuses } from '#shared/domain/operation.ts';
import { documentValues } from './document.ts';
import { id } from './fields.ts';

/** What other services put on the bus to move what is ours (decisions.md 4, Operation statuses). */

export const COMPLIANCE = 'payments.compliance';
export const PAYOUTS = 'payments.payouts';
export const OPERATION_STATUS = 'operation.status';
export const CLIENT_STATUS = 'client.status';

/** Characters. */
const LONGEST_REASON = 255;

/** Read by clients, in the operation's status history. */
export const statusReason = z.string().check(z.minLength(1), z.maxLength(LONGEST_REASON));

/** The same from another service, where no reason may stop what it explains: what is no text is none, a long one is cut. */
const receivedReason = z.pipe(
  z.unknown(),
  z.transform((told) =>
    typeof told === 'string' && told !== '' ? [...told].slice(0, LONGEST_REASON).join('') : undefined,
  ),
);

export const endStatus = z.enum(endStatuses);

documentValues('OperationEndStatus', endStatus, 'A status that an off-ramp ends in.', {
  COMPLETED: 'It was paid out.',
  CANCELLED: 'It was cancelled.',
  FAILED: 'It failed.',
});

/** Services that write every field say null or nothing where they say nothing. */
const receivedWord = z.pipe(
  z.transform((told) => (told === null || told === '' ? undefined : told)),
  z.optional(z.string().check(z.maxLength(64))),
);

/** An operation went on, or ended. */
const operationStatusEvent = z.object({
  source: z.enum([COMPLIANCE, PAYOUTS]),
  'detail-type': z.literal(OPERATION_STATUS),
  detail: z.object({ operationId: id, status: z.enum(operationStatuses), reason: z.optional(receivedReason) }),
});

/** The compliance review of a client, or its readiness to operate, came to a result. */
const clientStatusEvent = z.object({
  source: z.literal(COMPLIANCE),
  'detail-type': z.literal(CLIENT_STATUS),
  /** When it was put on the bus, to the second. */
  time: z.iso.datetime({ offset: true }),
  detail: z
    .object({ clientId: id, complianceStatus: z.optional(receivedWord), status: z.optional(receivedWord) })
    .check(z.refine(({ complianceStatus, status }) => complianceStatus !== undefined || status !== undefined)),
});

/** An event as EventBridge hands it out; what else its envelope has does not matter. */
export const incomingEvent = z.discriminatedUnion('detail-type', [operationStatusEvent, clientStatusEvent]);

export type OperationStatusTold = z.infer<typeof operationStatusEvent>['detail'];
