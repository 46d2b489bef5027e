import type { Clock } from '#shared/platform/clock.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { retryOnOwnConflict } from '#shared/platform/http/own-conflict.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import type { removeWebhookContract } from '#shared/webhooks/contract/webhook-contract.ts';
import { webhookErrors } from '#shared/webhooks/contract/webhook-errors.ts';
import { findOwnedWebhook } from '#shared/webhooks/store/owned-webhook.ts';
import type { RemoveWebhook, Webhooks } from '#shared/webhooks/store/webhook-repository.ts';

interface Dependencies {
  readonly webhooks: Pick<Webhooks, 'find'>;
  readonly remove: RemoveWebhook;
  readonly clock: Clock;
}

/** Waiting deliveries of a removed webhook are cancelled when they are due. */
export function removeWebhook({ webhooks, remove, clock }: Dependencies): UseCase<typeof removeWebhookContract> {
  return ({ clientId, path }) =>
    retryOnOwnConflict(clock, async () => {
      const webhook = await findOwnedWebhook(webhooks, clientId, path);
      if (webhook.status) throw new ApiError(webhookErrors.WEBHOOK_ACTIVE);
      await remove(webhook);
      return { body: undefined };
    });
}
