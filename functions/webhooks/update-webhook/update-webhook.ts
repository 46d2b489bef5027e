import type { Clock } from '#shared/platform/clock.ts';
import { retryOnOwnConflict } from '#shared/platform/http/own-conflict.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { describeWebhook, type updateWebhookContract } from '#shared/webhooks/contract/webhook-contract.ts';
import type { GuardTarget } from '#shared/webhooks/http-client/ssrf-guard.ts';
import type { Webhook } from '#shared/webhooks/model/webhook.ts';
import {
  endPause,
  findOwnedWebhook,
  refuseTooManyWebhooks,
  refuseUnacceptableUrl,
} from '#shared/webhooks/store/owned-webhook.ts';
import type { WebhookHealths } from '#shared/webhooks/store/webhook-health-repository.ts';
import type { ChangeWebhook, Webhooks } from '#shared/webhooks/store/webhook-repository.ts';

interface Dependencies {
  readonly webhooks: Pick<Webhooks, 'find'>;
  readonly changeWebhook: ChangeWebhook;
  readonly health: Pick<WebhookHealths, 'circuit' | 'applyChange'>;
  readonly guardUrl: GuardTarget;
  readonly clock: Clock;
}

/** Waiting deliveries go to the new address; a reactivated webhook gets only later events. */
export function updateWebhook({
  webhooks,
  changeWebhook,
  health,
  guardUrl,
  clock,
}: Dependencies): UseCase<typeof updateWebhookContract> {
  return ({ clientId, path, body }) =>
    retryOnOwnConflict(clock, async () => {
      const webhook = await findOwnedWebhook(webhooks, clientId, path);
      const { status, url, method } = body();
      if (url !== undefined) await refuseUnacceptableUrl(guardUrl, url);
      const changes: Partial<Webhook> = {
        ...(url !== undefined && url !== webhook.url && { url }),
        ...(method !== undefined && method !== webhook.method && { method }),
        ...(status === true &&
          !webhook.status && {
            status,
            statusReason: undefined,
            deactivatedAt: undefined,
            activeSince: clock.now().toISOString(),
          }),
      };
      const isChanged = Object.keys(changes).length > 0;
      if (isChanged) {
        const changed = await refuseTooManyWebhooks(changeWebhook(webhook, changes));
        await endPause(health, changed);
        return { body: describeWebhook(changed) };
      }
      return { body: describeWebhook(webhook, await health.circuit(webhook)) };
    });
}
