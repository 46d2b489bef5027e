import * as z from 'zod/mini';
import { id } from '#shared/platform/http/fields.ts';

/** The version of the events that this service puts on its bus, for their consumers. */
export const SCHEMA_VERSION = 1;

/** The `source` of this service's own events. */
export const OWN_SOURCE = 'payments.ramp';

/** First parts of the detail-types that webhooks receive. */
export const notifiedPrefixes = ['ramp.', 'compliance.', 'wallet_transfer.'] as const;

/** The sources whose events reach webhooks, as the stage sets them. */
export interface NotificationSources {
  /** Types of this service's own events: accepted from no other source. */
  readonly ownTypes: readonly string[];
  /** Other services that may notify clients. */
  readonly otherSources: readonly string[];
}

/**
 * True if webhooks receive this source's event (decisions.md 7, Event types). A type that differs from ours only by
 * case counts as ours, because clients may compare that way.
 */
export function mayNotify({ ownTypes, otherSources }: NotificationSources, source: string, type: string): boolean {
  return source === OWN_SOURCE || (otherSources.includes(source) && !ownTypes.includes(type.toLowerCase()));
}

/**
 * An event on the bus for webhooks (decisions.md 7, Event types): our own, or another service's. `detail` names the
 * client; the rest of it is the webhooks' `data`. Our own events are already in the events table, so here they have
 * only their ids.
 */
const notifiedEvent = z.object({
  source: z.string(),
  'detail-type': z.string().check(z.regex(/^(ramp|compliance|wallet_transfer)(\.[A-Za-z0-9_-]+)+$/)),
  detail: z.looseObject({
    clientId: id,
    /**
     * For another service's event, the end of the `webhook-id`; a full stop in it would make the signed text ambiguous.
     */
    eventId: z.string().check(z.regex(/^[A-Za-z0-9_-]{1,100}$/)),
    occurredAt: z.iso.datetime({ offset: true }).check(z.refine(isInFourDigits)),
  }),
});

/** True if the UTC year has four digits, as webhooks receive it. */
function isInFourDigits(time: string): boolean {
  const year = new Date(time).getUTCFullYear();
  return year >= 0 && year <= 9999;
}

/** An event of a source that may not notify. The bus's rule wraps it, so that it is never taken for another event. */
const strangersEvent = z.object({ notOurs: z.object({ source: z.string(), 'detail-type': z.string() }) });

export const queuedEvent = z.union([strangersEvent, notifiedEvent]);
