import * as z from 'zod/mini';
import { id } from '#shared/platform/http/fields.ts';

/** The version of what this service puts on its bus; consumers tell by it what to expect. */
export const SCHEMA_VERSION = 1;

/** The `source` of this service's own events. */
export const OWN_SOURCE = 'payments.ramp';

/** Text before the first dot of the detail-types that clients are notified of. */
export const notifiedPrefixes = ['ramp.', 'compliance.', 'wallet_transfer.'] as const;

/**
 * An event on the bus that a client is notified of (decisions.md 7, Event types): this service's own, and any that another
 * service puts there. `detail` says whose it is; what else is in it is what webhooks are sent as `data`. Our own are in the
 * events table already, and only known by their ids.
 */
export const notifiedEvent = z.object({
  'detail-type': z.string().check(z.regex(/^(ramp|compliance|wallet_transfer)(\.[A-Za-z0-9_-]+)+$/)),
  detail: z.looseObject({
    clientId: id,
    /** Becomes the `webhook-id`; a full stop in it would make the signed text ambiguous. */
    eventId: z.string().check(z.regex(/^[A-Za-z0-9_-]{1,128}$/)),
    occurredAt: z.iso.datetime({ offset: true }),
  }),
});
