import * as z from 'zod/mini';
import { COMPLIANCE, envelopeId, incomingEventId } from '#shared/events/incoming-events.ts';
import { id } from '#shared/platform/http/fields.ts';
import type { IncomingApproval } from './client-approval.ts';

export const CLIENT_STATUS = 'client.status';

/** A service that always writes every field sends null or an empty text for "no value". */
const receivedWord = z.pipe(
  z.transform((value) => (value === null || value === '' ? undefined : value)),
  z.optional(z.string().check(z.maxLength(64))),
);

/** A result of compliance review or readiness. Other members of the EventBridge envelope are ignored. */
export const clientStatusEvent = z.object({
  id: envelopeId,
  source: z.literal(COMPLIANCE),
  'detail-type': z.literal(CLIENT_STATUS),
  /** The publisher's time of the result, to the second: it may lie in the future. */
  time: z.iso.datetime({ offset: true }),
  detail: z
    .object({
      clientId: id,
      eventId: z.optional(z.unknown()),
      complianceStatus: z.optional(receivedWord),
      status: z.optional(receivedWord),
    })
    .check(z.refine(({ complianceStatus, status }) => complianceStatus !== undefined || status !== undefined)),
});

/**
 * The event as the bus's rule queues it, with the time at which the bus took it, which the publisher cannot choose.
 * Messages of an older rule contain the event alone.
 */
export const queuedClientStatus = z.union([
  z.object({ ingestedAt: z.catch(z.optional(z.iso.datetime({ offset: true })), undefined), event: clientStatusEvent }),
  z.pipe(
    clientStatusEvent,
    z.transform((event) => ({ ingestedAt: undefined, event })),
  ),
]);

/**
 * The result of compliance. Its time is never later than its arrival, so that an approval with a fast clock does not
 * override a later result. Dead letters that are moved back arrive in the queue again, but not on the bus: the time of
 * the bus, if it is known, is the arrival.
 */
export function toIncomingApproval(
  { ingestedAt, event }: z.infer<typeof queuedClientStatus>,
  queuedAt: Date,
): IncomingApproval {
  const { clientId, eventId, ...result } = event.detail;
  const came = ingestedAt === undefined ? queuedAt : new Date(ingestedAt);
  return {
    clientId,
    ...result,
    eventId: incomingEventId(eventId, event.id, { clientId, ...result, at: event.time }),
    at: new Date(Math.min(Date.parse(event.time), came.getTime())).toISOString(),
    cameAt: came.toISOString(),
  };
}
