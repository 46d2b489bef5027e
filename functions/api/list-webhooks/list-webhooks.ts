import type { listWebhooks as contract } from '#shared/contracts/webhook.ts';
import { describeWebhook } from '#shared/contracts/webhook-answer.ts';
import type { WebhookHealths } from '#shared/dynamodb/webhook-health.ts';
import type { Webhooks } from '#shared/dynamodb/webhooks.ts';
import { refuseOtherClient } from '#shared/http/owned-webhook.ts';
import type { UseCase } from '#shared/http/use-case.ts';

interface Dependencies {
  readonly webhooks: Pick<Webhooks, 'list'>;
  readonly health: Pick<WebhookHealths, 'circuits'>;
}

export function listWebhooks({ webhooks, health }: Dependencies): UseCase<typeof contract> {
  return async ({ clientId, path }) => {
    refuseOtherClient(clientId, path);
    const found = await webhooks.list(clientId);
    const circuits = await health.circuits(found);
    return { body: found.map((webhook, index) => describeWebhook(webhook, circuits[index])) };
  };
}
