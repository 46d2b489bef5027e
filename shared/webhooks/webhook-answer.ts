import type * as z from 'zod/mini';
import type { Webhook } from './webhook.ts';
import { webhookAnswer } from './webhook-contract.ts';
import type { Circuit } from './webhook-health.ts';

type WebhookAnswer = z.infer<typeof webhookAnswer>;

/**
 * A webhook as its client sees it: only the fields of the answer (interface 2.9).
 *
 * @param circuit not given where it cannot be open: every change of the configuration closes it
 */
export function describeWebhook(webhook: Webhook, circuit?: Circuit): WebhookAnswer {
  return webhookAnswer.parse({
    ...webhook,
    id: webhook.webhookId,
    ...(circuit?.state === 'OPEN' && { parkedUntil: circuit.until }),
    ...(circuit?.pausedAt !== undefined && { deliveriesPausedAt: circuit.pausedAt }),
  } satisfies WebhookAnswer);
}
