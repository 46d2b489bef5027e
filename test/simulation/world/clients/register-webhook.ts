import {
  listWebhooksContract,
  registerWebhookContract,
  rotateWebhookSecretContract,
} from '#shared/webhooks/contract/webhook-contract.ts';
import type { Outside } from '#test/simulation/world/outside.ts';
import type { WebhookScript } from '#test/simulation/world/script/script.ts';
import { isOutcome, type Session } from './session.ts';

/** Milliseconds between two tries. */
const PAUSE = 60_000;
const TRIES = 8;

/**
 * Registers a webhook once even if an answer is lost, because a second call would create a second webhook. Returns its
 * id once the endpoint has the secret.
 */
export async function register(outside: Outside, session: Session, script: WebhookScript): Promise<string | undefined> {
  const { endpoints, host } = outside;
  const { url, process, method } = script;
  const path = `/api/webhooks/${session.client.clientId}`;
  endpoints.doubtSecret(url);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const answer = await session.call({ method: 'POST', path, body: { url, process, method } });
    if (answer?.status === 201) {
      const { id, secret } = registerWebhookContract.success.body.parse(JSON.parse(answer.body));
      endpoints.giveSecret(url, secret);
      return id;
    }
    if (answer !== undefined && isOutcome(answer)) return undefined;
    await host.schedule.clock.sleep(PAUSE);
    const made = await find(session, url);
    if (made !== undefined) return rotate(outside, session, script, made);
  }
  return undefined;
}

async function find(session: Session, url: string): Promise<string | undefined> {
  const path = `/api/webhooks/${session.client.clientId}`;
  const answer = await session.persist({ method: 'GET', path });
  if (answer?.status !== 200) return undefined;
  return listWebhooksContract.success.body.parse(JSON.parse(answer.body)).find((webhook) => webhook.url === url)?.id;
}

/** Rotates the secret and gives it to the endpoint. Returns the webhook's id, or `undefined` if the rotation failed. */
export async function rotate(
  { endpoints }: Outside,
  session: Session,
  { url }: WebhookScript,
  webhookId: string,
): Promise<string | undefined> {
  const path = `/api/webhooks/${session.client.clientId}/${webhookId}/secret`;
  endpoints.doubtSecret(url);
  const answer = await session.persist({ method: 'POST', path });
  if (answer?.status !== 200) return undefined;
  endpoints.giveSecret(url, rotateWebhookSecretContract.success.body.parse(JSON.parse(answer.body)).secret);
  return webhookId;
}
