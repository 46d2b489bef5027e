import * as z from 'zod/mini';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { lookup } from '#shared/platform/http/command.ts';
import { id, instant } from '#shared/platform/http/fields.ts';
import { webhookErrors } from '#shared/webhooks/contract/webhook-errors.ts';
import { webhook } from '#shared/webhooks/model/webhook.ts';
import { changeLine } from './audit-records.ts';

/** A webhook with the state of its calls, without its secrets. */
export const lookedUpWebhook = z.object({
  ...z.pick(webhook, { webhookId: true, process: true }).shape,
  isActive: z.boolean(),
  ...z.pick(webhook, { statusReason: true }).shape,
  /** No more of the address: the rest may contain a secret of the client. */
  host: z.string(),
  ...z.pick(webhook, { method: true, createdAt: true }).shape,
  /** In a row, up to the latest call. */
  failures: z.int(),
  failingSince: z.optional(instant),
  /** Its latest call: a status, or why there was no answer. Absent after a success. */
  lastError: z.optional(z.string()),
  /** Nothing is sent until then, because the endpoint has failed. */
  parkedUntil: z.optional(instant),
});

export const listWebhooksContract = lookup({
  name: 'webhooks',
  summary: 'All webhooks of a client, active and inactive, the oldest first, and how their calls go.',
  query: z.object({ clientId: id }),
  answer: z.object({ items: z.array(lookedUpWebhook) }),
  errors: [apiErrors.NOT_FOUND, apiErrors.SERVICE_UNAVAILABLE],
});

export const readWebhookContract = lookup({
  name: 'webhook',
  summary: 'A webhook: where it is, how its calls go, and who changed it.',
  query: z.object({ clientId: id, webhookId: id }),
  answer: z.object({
    clientId: id,
    ...lookedUpWebhook.shape,
    ...z.pick(webhook, { userId: true, activeSince: true }).shape,
    /** The operators' changes of it. */
    changes: z.array(changeLine),
  }),
  errors: [webhookErrors.WEBHOOK_NOT_FOUND, apiErrors.SERVICE_UNAVAILABLE],
});
