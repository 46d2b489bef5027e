import { registerWebhook } from '#shared/webhooks/webhook-contract.ts';
import type { Outside } from '#test/simulation/world/outside.ts';
import type { WebhookScript } from '#test/simulation/world/script/script.ts';
import { at } from './in-time.ts';
import type { Session } from './session.ts';

/** A client registers a webhook, and gives its endpoint the secret. */
export async function keepWebhook(outside: Outside, session: Session, script: WebhookScript): Promise<void> {
  await at(outside, script.at);
  const { clientId } = session.client;
  const { url, process, method } = script;
  outside.endpoints.doubtSecret(url);
  const answer = await session.persist({
    method: 'POST',
    path: `/api/webhooks/${clientId}`,
    body: { url, process, method },
  });
  if (answer?.status !== 201) return;
  const { id: webhookId, secret } = registerWebhook.success.body.parse(JSON.parse(answer.body));
  outside.endpoints.giveSecret(url, secret);
  outside.memory.webhooks.push({ client: session.client, script, webhookId });
}
