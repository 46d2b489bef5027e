import type * as z from 'zod/mini';
import type { Webhook } from './webhook.ts';
import type { webhook as webhookSchema } from './webhook-contract.ts';
import type { Circuit } from './webhook-health.ts';

/**
 * A webhook as its client sees it (interface 2.9).
 *
 * @param circuit not given where it cannot be open: every change of the configuration closes it
 */
export function describeWebhook(webhook: Webhook, circuit?: Circuit): z.infer<typeof webhookSchema> {
  const { webhookId, method, process, status, statusReason, url, userId } = webhook;
  return {
    id: webhookId,
    method,
    process,
    status,
    ...(statusReason && { statusReason }),
    ...(circuit?.state === 'OPEN' && { parkedUntil: circuit.until }),
    url,
    userId,
  };
}
