import * as z from 'zod/mini';
import { deliveryStatuses, deliveryTriggers, undeliveredReasons } from '#shared/domain/delivery.ts';
import { callErrors } from '#shared/domain/delivery-verdict.ts';
import { instant } from './fields.ts';
import { webhookPath } from './webhook.ts';

export const deliveriesPath = `${webhookPath}/deliveries` as const;

/** Anything else is no delivery's id, and not to be looked for. */
export const deliveryId = z.string().check(z.regex(/^dlv_[0-9a-f]{32}$/));

/** One call of an endpoint, and what came of it: a status, or else an error. */
const attempt = z.object({
  at: instant,
  trigger: z.enum(deliveryTriggers),
  statusCode: z.optional(z.int()),
  error: z.optional(z.enum(callErrors)),
  durationMs: z.int(),
});

/** An event on its way to a webhook, as its client sees it (decisions.md 7, Delivery log). */
export const delivery = z.object({
  id: deliveryId,
  /** The `webhook-id` of every attempt. */
  eventId: z.string(),
  type: z.string(),
  status: z.enum(deliveryStatuses),
  /** Why it is FAILED or CANCELLED. */
  reason: z.optional(z.enum(undeliveredReasons)),
  createdAt: instant,
  /** While PENDING. */
  nextAttemptAt: z.optional(instant),
  /** In the order in which they were made. */
  attempts: z.array(attempt),
});
