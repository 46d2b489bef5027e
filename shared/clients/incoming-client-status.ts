import * as z from 'zod/mini';
import { COMPLIANCE } from '#shared/events/incoming-events.ts';
import { id } from '#shared/platform/http/fields.ts';

export const CLIENT_STATUS = 'client.status';

/** Services that write every field send null or an empty text for "no value". */
const receivedWord = z.pipe(
  z.transform((value) => (value === null || value === '' ? undefined : value)),
  z.optional(z.string().check(z.maxLength(64))),
);

/**
 * The compliance review of a client, or its readiness to operate, came to a result. Other members of the EventBridge
 * envelope are ignored.
 */
export const clientStatusEvent = z.object({
  source: z.literal(COMPLIANCE),
  'detail-type': z.literal(CLIENT_STATUS),
  /** When it was put on the bus, to the second. */
  time: z.iso.datetime({ offset: true }),
  detail: z
    .object({ clientId: id, complianceStatus: z.optional(receivedWord), status: z.optional(receivedWord) })
    .check(z.refine(({ complianceStatus, status }) => complianceStatus !== undefined || status !== undefined)),
});
