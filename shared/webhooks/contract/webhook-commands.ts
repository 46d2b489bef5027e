import * as z from 'zod/mini';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { command } from '#shared/platform/http/command.ts';
import { id, instant, instantInput } from '#shared/platform/http/fields.ts';
import { webhookErrors } from '#shared/webhooks/contract/webhook-errors.ts';
import { delivery } from '#shared/webhooks/model/delivery.ts';
import { webhook } from '#shared/webhooks/model/webhook.ts';

export const resendContract = command({
  name: 'resend',
  subject: ['deliveryId'],
  summary: 'Sends one delivery again now, as its client can. If its webhook is parked, this ends the parking.',
  input: z.strictObject({ deliveryId: delivery.shape.deliveryId }),
  answer: z.pick(delivery, { deliveryId: true, webhookId: true, clientId: true, status: true, nextAttemptAt: true }),
  errors: [
    webhookErrors.DELIVERY_NOT_FOUND,
    webhookErrors.WEBHOOK_NOT_FOUND,
    webhookErrors.WEBHOOK_INACTIVE,
    webhookErrors.TOO_MANY_ATTEMPTS,
  ],
});

const ofClient = { clientId: id, webhookId: id };

export const redriveDeliveriesContract = command({
  name: 'redrive-deliveries',
  subject: ['webhookId'],
  summary:
    'Sends a webhook its undelivered events since a time: those whose delivery ended without arriving, and those without one. 14 days ago at most.',
  input: z.strictObject({ ...ofClient, since: z.optional(instantInput) }),
  answer: z.object({ webhookId: id, since: instant }),
  errors: [webhookErrors.WEBHOOK_NOT_FOUND, webhookErrors.WEBHOOK_INACTIVE],
});

export const deactivateWebhookContract = command({
  name: 'deactivate-webhook',
  subject: ['webhookId'],
  summary: 'Deactivates a webhook; its client reads that an operator did, and can activate it again.',
  input: z.strictObject(ofClient),
  answer: z.object({ webhookId: id, ...z.pick(webhook, { status: true, statusReason: true }).shape }),
  errors: [webhookErrors.WEBHOOK_NOT_FOUND, apiErrors.SERVICE_UNAVAILABLE],
});
