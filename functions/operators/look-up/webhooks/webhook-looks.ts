import type * as z from 'zod/mini';
import type { Look, LookedUp } from '#functions/operators/look-up/common/looks.ts';
import { createFindClient } from '#shared/clients/client-repository.ts';
import { noClient } from '#shared/operators/no-client.ts';
import { noWebhook } from '#shared/operators/no-webhook.ts';
import * as webhookLookup from '#shared/operators/webhook-lookup.ts';
import type { Webhook } from '#shared/webhooks/model/webhook.ts';
import { lastErrorOf } from '#shared/webhooks/model/webhook-health.ts';
import { createReadHealths, type KnownHealth } from '#shared/webhooks/store/webhook-health-repository.ts';
import { createWebhookRepository } from '#shared/webhooks/store/webhook-repository.ts';

export function webhookLooks(look: Look, deps: LookedUp<'clients' | 'webhooks' | 'webhookHealth'>) {
  const { dynamo, tables, listChanges, clock } = deps;
  const findClient = createFindClient(dynamo, tables.clients);
  const webhooks = createWebhookRepository(dynamo, tables.webhooks);
  const readHealths = createReadHealths(dynamo, tables.webhookHealth, clock);
  return [
    look(webhookLookup.listWebhooksContract, async ({ query }) => {
      const { clientId } = query();
      const [client, found] = await Promise.all([findClient(clientId), webhooks.list(clientId)]);
      if (client === undefined) throw noClient();
      const healths = await readHealths(found);
      return { body: { items: found.map((one, position) => described(one, healths[position])) }, ids: { clientId } };
    }),
    look(webhookLookup.readWebhookContract, async ({ query }) => {
      const { clientId, webhookId } = query();
      const webhook = await webhooks.find(clientId, webhookId);
      if (webhook === undefined) throw noWebhook();
      const [[health], changes] = await Promise.all([readHealths([webhook]), listChanges(webhookId)]);
      const { userId, activeSince } = webhook;
      const body = { clientId, ...described(webhook, health), userId, activeSince, changes };
      return { body, ids: { clientId, webhookId } };
    }),
  ];
}

function described(webhook: Webhook, known: KnownHealth | undefined): z.infer<typeof webhookLookup.lookedUpWebhook> {
  const { circuit, health } = known ?? {};
  return webhookLookup.lookedUpWebhook.parse({
    ...webhook,
    isActive: webhook.status,
    host: new URL(webhook.url).host,
    failures: health?.failures ?? 0,
    failingSince: health?.failingSince,
    lastError: health && lastErrorOf(health),
    // An inactive webhook has no waiting deliveries.
    parkedUntil: webhook.status && circuit?.state === 'OPEN' ? circuit.until : undefined,
  });
}
