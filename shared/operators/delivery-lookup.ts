import * as z from 'zod/mini';
import { lookup } from '#shared/platform/http/command.ts';
import { instant } from '#shared/platform/http/fields.ts';
import { webhookErrors } from '#shared/webhooks/contract/webhook-errors.ts';
import { delivery, deliveryAttempt } from '#shared/webhooks/model/delivery.ts';
import { webhook } from '#shared/webhooks/model/webhook.ts';
import { changeLine } from './audit-records.ts';
import { lookedUpDelivery } from './event-lookup.ts';
import { nextStep } from './next-step.ts';

const calledWebhook = z.object({
  /** No more of the address: the rest may contain a secret of the client. */
  host: z.string(),
  isActive: z.boolean(),
  ...z.pick(webhook, { statusReason: true, process: true }).shape,
  /** Nothing is sent until then, because the endpoint has failed. */
  circuitOpenUntil: z.optional(instant),
  /** Its latest call for any delivery: a status, or why there was no answer. Absent after a success. */
  lastError: z.optional(z.string()),
});

export const readDeliveryContract = lookup({
  name: 'delivery',
  summary: 'An event on its way to a webhook: its attempts, what happens next and who does it.',
  query: z.object({ delivery: delivery.shape.deliveryId }),
  answer: z.object({
    next: nextStep,
    ...lookedUpDelivery.shape,
    ...z.pick(delivery, { type: true, clientId: true, createdAt: true, trigger: true }).shape,
    /** Absent if it was removed. */
    webhook: z.optional(calledWebhook),
    attempts: z.array(deliveryAttempt),
    /** The operators' changes of it. */
    changes: z.array(changeLine),
  }),
  errors: [webhookErrors.DELIVERY_NOT_FOUND],
});
