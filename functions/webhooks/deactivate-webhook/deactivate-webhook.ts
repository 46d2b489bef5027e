import type { Clock } from '#shared/platform/clock.ts';
import { retryOnOwnConflict } from '#shared/platform/http/own-conflict.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { type deactivateWebhookContract, describeWebhook } from '#shared/webhooks/contract/webhook-contract.ts';
import { findOwnedWebhook } from '#shared/webhooks/store/owned-webhook.ts';
import type { ChangeWebhook, Webhooks } from '#shared/webhooks/store/webhook-repository.ts';

interface Dependencies {
  readonly webhooks: Pick<Webhooks, 'find'>;
  readonly changeWebhook: ChangeWebhook;
  readonly clock: Clock;
}

export function deactivateWebhook({
  webhooks,
  changeWebhook,
  clock,
}: Dependencies): UseCase<typeof deactivateWebhookContract> {
  return ({ clientId, path }) =>
    retryOnOwnConflict(clock, async () => {
      const webhook = await findOwnedWebhook(webhooks, clientId, path);
      return { body: describeWebhook(webhook.status ? await changeWebhook(webhook, { status: false }) : webhook) };
    });
}
