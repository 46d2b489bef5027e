import * as z from 'zod/mini';
import { instant } from '#shared/platform/http/fields.ts';
import { type Delivery, delivery } from '#shared/webhooks/model/delivery.ts';

/** An event for webhooks, and whether it was published. */
export const lookedUpEvent = z.object({
  occurredAt: instant,
  type: z.string(),
  status: z.optional(z.string()),
  sequence: z.optional(z.int()),
  /** The bus has accepted it. */
  isPublished: z.boolean(),
  eventId: z.string(),
});

export const lookedUpDelivery = z.object({
  ...z.pick(delivery, { deliveryId: true, eventId: true, webhookId: true, status: true, reason: true }).shape,
  attemptsLogged: z.int(),
  nextAttemptAt: delivery.shape.nextAttemptAt,
});

export function lookedUp(delivery: Delivery): z.infer<typeof lookedUpDelivery> {
  return lookedUpDelivery.parse({ ...delivery, attemptsLogged: delivery.attempts.length });
}
