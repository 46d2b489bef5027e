import type { deactivateWebhook as contract } from '#shared/contracts/webhook.ts';
import { describeWebhook } from '#shared/contracts/webhook-answer.ts';
import { retryOnConflict } from '#shared/dynamodb/retry-on-conflict.ts';
import type { Webhooks } from '#shared/dynamodb/webhooks.ts';
import type { ChangeWebhook } from '#shared/dynamodb/write-webhook.ts';
import { ownedWebhook } from '#shared/http/owned-webhook.ts';
import type { UseCase } from '#shared/http/use-case.ts';
import type { Clock } from '#shared/runtime/clock.ts';

interface Dependencies {
  readonly webhooks: Pick<Webhooks, 'find'>;
  readonly changeWebhook: ChangeWebhook;
  readonly clock: Clock;
}

export function deactivateWebhook({ webhooks, changeWebhook, clock }: Dependencies): UseCase<typeof contract> {
  return ({ clientId, path }) =>
    retryOnConflict(clock, async () => {
      const webhook = await ownedWebhook(webhooks, clientId, path);
      return { body: describeWebhook(webhook.status ? await changeWebhook(webhook, { status: false }) : webhook) };
    });
}
