import * as z from 'zod/mini';
import { id } from '#shared/platform/http/fields.ts';

/** The version of the events that this service puts on its bus, for their consumers. */
export const SCHEMA_VERSION = 1;

/** The `source` of this service's own events. */
export const OWN_SOURCE = 'payments.ramp';

/** Text before the first dot of the detail-types that clients are notified of. */
export const notifiedPrefixes = ['ramp.', 'compliance.', 'wallet_transfer.'] as const;

/** Whose events clients are notified of, as the stage says. */
export interface Notifying {
  /** Types of this service's own events: of nobody else is one of these believed. */
  readonly ownTypes: readonly string[];
  /** Other services that may notify clients. */
  readonly otherSources: readonly string[];
}

/**
 * Whether clients are notified of what this source says (decisions.md 7, Event types). A type that differs from one of ours
 * by its case alone is taken for ours, as a client may do.
 */
export function mayNotify({ ownTypes, otherSources }: Notifying, source: string, type: string): boolean {
  return source === OWN_SOURCE || (otherSources.includes(source) && !ownTypes.includes(type.toLowerCase()));
}

/**
 * An event on the bus that a client is notified of (decisions.md 7, Event types): this service's own, and any that
 * another service puts there. `detail` names the client; the rest of it is the `data` that webhooks receive. Our own
 * events are in the events table already: here they have only their ids.
 */
const notifiedEvent = z.object({
  source: z.string(),
  'detail-type': z.string().check(z.regex(/^(ramp|compliance|wallet_transfer)(\.[A-Za-z0-9_-]+)+$/)),
  detail: z.looseObject({
    clientId: id,
    /** Of another service, the end of the `webhook-id`; a full stop in it would make the signed text ambiguous. */
    eventId: z.string().check(z.regex(/^[A-Za-z0-9_-]{1,100}$/)),
    occurredAt: z.iso.datetime({ offset: true }).check(z.refine(isInFourDigits)),
  }),
});

/** Its year in UTC, as webhooks are sent it. */
function isInFourDigits(time: string): boolean {
  const year = new Date(time).getUTCFullYear();
  return year >= 0 && year <= 9999;
}

/** An event as a rule of the bus hands it on whose source may notify nobody: so wrapped that it is never taken for another. */
const strangersEvent = z.object({ notOurs: z.object({ source: z.string(), 'detail-type': z.string() }) });

export const queuedEvent = z.union([strangersEvent, notifiedEvent]);
