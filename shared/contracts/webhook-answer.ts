import type * as z from 'zod/mini';
import type { Webhook } from '#shared/domain/webhook.ts';
import type { webhook as webhookSchema } from './webhook.ts';

/** A webhook as its client sees it (interface 2.9). */
export function describeWebhook(webhook: Webhook): z.infer<typeof webhookSchema> {
  const { webhookId, method, process, status, statusReason, url, userId } = webhook;
  return { id: webhookId, method, process, status, ...(statusReason && { statusReason }), url, userId };
}
