import type { listWebhooks as contract } from '#shared/contracts/webhook.ts';
import { describeWebhook } from '#shared/contracts/webhook-answer.ts';
import type { Webhooks } from '#shared/dynamodb/webhooks.ts';
import type { UseCase } from '#shared/http/endpoint.ts';
import { refuseOtherClient } from '#shared/http/owned-webhook.ts';

export function listWebhooks(webhooks: Pick<Webhooks, 'list'>): UseCase<typeof contract> {
  return async ({ clientId, path }) => {
    refuseOtherClient(clientId, path);
    return { body: (await webhooks.list(clientId)).map(describeWebhook) };
  };
}
