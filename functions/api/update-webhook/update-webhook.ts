import { describeWebhook } from '#shared/contracts/webhook-answer.ts';
import type { updateWebhook as contract } from '#shared/contracts/webhook-management.ts';
import type { Webhook } from '#shared/domain/webhook.ts';
import { retryOnConflict } from '#shared/dynamodb/retry-on-conflict.ts';
import type { WebhookHealths } from '#shared/dynamodb/webhook-health.ts';
import type { Webhooks } from '#shared/dynamodb/webhooks.ts';
import type { ChangeWebhook } from '#shared/dynamodb/write-webhook.ts';
import { refuseUnacceptableUrl } from '#shared/http/acceptable-url.ts';
import { ownedWebhook } from '#shared/http/owned-webhook.ts';
import type { UseCase } from '#shared/http/use-case.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import type { GuardTarget } from '#shared/webhooks/target-guard.ts';

interface Dependencies {
  readonly webhooks: Pick<Webhooks, 'find'>;
  readonly changeWebhook: ChangeWebhook;
  readonly health: Pick<WebhookHealths, 'circuit'>;
  readonly guardTarget: GuardTarget;
  readonly clock: Clock;
}

/** Notifications that wait for another try go to the new address; a reactivated webhook gets only what happens from now on. */
export function updateWebhook({
  webhooks,
  changeWebhook,
  health,
  guardTarget,
  clock,
}: Dependencies): UseCase<typeof contract> {
  return ({ clientId, path, body }) =>
    retryOnConflict(clock, async () => {
      const webhook = await ownedWebhook(webhooks, clientId, path);
      const { status, url, method } = body();
      if (url !== undefined) await refuseUnacceptableUrl(guardTarget, url);
      const changes: Partial<Webhook> = {
        ...(url !== undefined && url !== webhook.url && { url }),
        ...(method !== undefined && method !== webhook.method && { method }),
        ...(status === true &&
          !webhook.status && {
            status,
            statusReason: undefined,
            activeSince: clock.now().toISOString(),
          }),
      };
      const isChanged = Object.keys(changes).length > 0;
      if (isChanged) return { body: describeWebhook(await changeWebhook(webhook, changes)) };
      return { body: describeWebhook(webhook, await health.circuit(webhook)) };
    });
}
