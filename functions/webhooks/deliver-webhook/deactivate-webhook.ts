import type { Clock } from '#shared/platform/clock.ts';
import { retryOnConflict } from '#shared/platform/dynamodb/transaction.ts';
import { log } from '#shared/platform/logger.ts';
import type { Webhook } from '#shared/webhooks/model/webhook.ts';
import type { ChangeWebhook, Webhooks } from '#shared/webhooks/store/webhook-repository.ts';

interface Dependencies {
  readonly webhooks: Pick<Webhooks, 'find'>;
  readonly changeWebhook: ChangeWebhook;
  readonly clock: Clock;
}

/** Deactivates a webhook because of its endpoint, unless its client has changed the address meanwhile. */
export type DeactivateWebhook = (called: Webhook, reason: NonNullable<Webhook['statusReason']>) => Promise<void>;

export function createDeactivateWebhook({ webhooks, changeWebhook, clock }: Dependencies): DeactivateWebhook {
  return ({ clientId, webhookId, url, activeSince }, statusReason) =>
    retryOnConflict(clock, async () => {
      const webhook = await webhooks.find(clientId, webhookId);
      if (!webhook?.status || webhook.url !== url || webhook.activeSince !== activeSince) return;
      await changeWebhook(webhook, { status: false, statusReason });
      // A 410 is a deliberate answer; a failing endpoint may be unknown to its client.
      const report = statusReason === 'ENDPOINT_GONE' ? log.warn : log.error;
      report('WEBHOOK_DEACTIVATED', { clientId, webhookId, reason: statusReason });
    });
}
