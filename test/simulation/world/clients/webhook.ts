import { listDeliveriesContract } from '#shared/webhooks/contract/delivery-contract.ts';
import type { KnownWebhook } from '#test/simulation/world/memory.ts';
import type { Outside } from '#test/simulation/world/outside.ts';
import { START } from '#test/simulation/world/script/moments.ts';
import type { WebhookChange, WebhookScript } from '#test/simulation/world/script/script.ts';
import { at } from './in-time.ts';
import { register, rotate } from './register-webhook.ts';
import type { Session } from './session.ts';

/** A client registers a webhook, and changes it now and then. */
export async function keepWebhook(outside: Outside, session: Session, script: WebhookScript): Promise<void> {
  await at(outside, script.at);
  const webhookId = await register(outside, session, script);
  if (webhookId === undefined) return;
  const known = { client: session.client, script, webhookId };
  outside.memory.webhooks.push(known);
  for (const change of script.changes) {
    outside.host.schedule.start(`${session.client.name} changes its webhook`, async () => {
      await at(outside, change.at);
      await changes[change.does](outside, session, known);
    });
  }
}

type Change = (outside: Outside, session: Session, known: KnownWebhook) => Promise<unknown>;

function pathOf({ client, webhookId }: KnownWebhook): string {
  return `/api/webhooks/${client.clientId}/${webhookId}`;
}

const changes: Readonly<Record<WebhookChange['does'], Change>> = {
  ROTATE: (outside, session, { script, webhookId }) => rotate(outside, session, script, webhookId),
  DEACTIVATE: (_, session, known) => session.persist({ method: 'DELETE', path: pathOf(known) }),
  ACTIVATE: (_, session, known) => session.persist({ method: 'PATCH', path: pathOf(known), body: { status: true } }),
  MOVE: (_, session, known) =>
    session.persist({ method: 'PATCH', path: pathOf(known), body: { url: movedUrl(known.script) } }),
  REMOVE: async (_, session, known) => {
    await session.persist({ method: 'DELETE', path: pathOf(known) });
    await session.persist({ method: 'DELETE', path: `${pathOf(known)}/record` });
  },
  TEST: (_, session, known) => session.call({ method: 'POST', path: `${pathOf(known)}/test` }),
  RESEND: async (_, session, known) => {
    const answer = await session.call({ method: 'GET', path: `${pathOf(known)}/deliveries?limit=1` });
    if (answer?.status !== 200) return;
    const [latest] = listDeliveriesContract.success.body.parse(JSON.parse(answer.body)).deliveries;
    if (latest === undefined) return;
    const path = `${pathOf(known)}/deliveries/${latest.id}/resend`;
    await session.persist({ method: 'POST', path, key: `resend ${latest.id}` });
  },
  REPLAY: (_, session, known) =>
    session.persist({
      method: 'POST',
      path: `${pathOf(known)}/replay`,
      body: { since: new Date(START).toISOString() },
    }),
  LIST: (_, session, { client }) => session.call({ method: 'GET', path: `/api/webhooks/${client.clientId}` }),
};

/** Returns the URL of a webhook after its move, on the same host. */
export function movedUrl({ url }: WebhookScript): string {
  return `${url}/moved`;
}
