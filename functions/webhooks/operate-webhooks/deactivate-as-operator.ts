import type { Clock } from '#shared/platform/clock.ts';
import { retryOnConflict } from '#shared/platform/dynamodb/transaction.ts';
import type { Change } from '#shared/platform/operators/audited.ts';
import type { deactivateWebhookContract } from '#shared/webhooks/contract/webhook-commands.ts';
import type { ChangeWebhook, Webhooks } from '#shared/webhooks/store/webhook-repository.ts';
import { findExistingWebhook } from './find-existing-webhook.ts';

interface Dependencies {
  readonly webhooks: Pick<Webhooks, 'find'>;
  readonly changeWebhook: ChangeWebhook;
  readonly clock: Clock;
}

/** An inactive webhook keeps its reason: its client may have deactivated it. */
export function deactivateAsOperator({
  webhooks,
  changeWebhook,
  clock,
}: Dependencies): Change<typeof deactivateWebhookContract> {
  return async ({ clientId, webhookId }) => {
    const { status, statusReason } = await retryOnConflict(clock, async () => {
      const webhook = await findExistingWebhook(webhooks, clientId, webhookId);
      if (!webhook.status) return webhook;
      const deactivatedAt = clock.now().toISOString();
      return changeWebhook(webhook, { status: false, statusReason: 'BY_OPERATOR', deactivatedAt });
    });
    return { body: { webhookId, status, statusReason }, ids: { webhookId, clientId } };
  };
}
