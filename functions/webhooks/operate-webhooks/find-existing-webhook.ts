import { noWebhook } from '#shared/webhooks/contract/no-webhook.ts';
import type { Webhook } from '#shared/webhooks/model/webhook.ts';
import type { Webhooks } from '#shared/webhooks/store/webhook-repository.ts';

/** @throws {ApiError} WEBHOOK_NOT_FOUND */
export async function findExistingWebhook(
  webhooks: Pick<Webhooks, 'find'>,
  clientId: string,
  webhookId: string,
): Promise<Webhook> {
  const webhook = await webhooks.find(clientId, webhookId);
  if (webhook !== undefined) return webhook;
  throw noWebhook();
}
