import type { removeWebhook as contract } from '#shared/contracts/webhook-management.ts';
import { Refusal } from '#shared/domain/refusal.ts';
import { retryOnConflict } from '#shared/dynamodb/retry-on-conflict.ts';
import type { Webhooks } from '#shared/dynamodb/webhooks.ts';
import type { RemoveWebhook } from '#shared/dynamodb/write-webhook.ts';
import { ownedWebhook } from '#shared/http/owned-webhook.ts';
import type { UseCase } from '#shared/http/use-case.ts';
import type { Clock } from '#shared/runtime/clock.ts';

interface Dependencies {
  readonly webhooks: Pick<Webhooks, 'find'>;
  readonly remove: RemoveWebhook;
  readonly clock: Clock;
}

/** Deliveries that still wait for it are cancelled when their time comes. */
export function removeWebhook({ webhooks, remove, clock }: Dependencies): UseCase<typeof contract> {
  return ({ clientId, path }) =>
    retryOnConflict(clock, async () => {
      const webhook = await ownedWebhook(webhooks, clientId, path);
      if (webhook.status) throw new Refusal('WEBHOOK_ACTIVE');
      await remove(webhook);
      return { body: undefined };
    });
}
