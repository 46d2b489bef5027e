import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod/mini';
import { createWithClientNames } from '#shared/clients/client-directory.ts';
import { createFindClient } from '#shared/clients/client-repository.ts';
import { noClient } from '#shared/clients/no-client.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { createListChanges } from '#shared/platform/operators/list-changes.ts';
import { createRegisterLookup, type Handler, routeByPath } from '#shared/platform/operators/route-by-path.ts';
import { noWebhook } from '#shared/webhooks/contract/no-webhook.ts';
import * as webhookLookup from '#shared/webhooks/contract/webhook-lookups.ts';
import type { Webhook } from '#shared/webhooks/model/webhook.ts';
import { lastErrorOf } from '#shared/webhooks/model/webhook-health.ts';
import { createCountUnattempted, createDeliveryRepository } from '#shared/webhooks/store/delivery-repository.ts';
import {
  createListFailing,
  createReadHealths,
  type KnownHealth,
} from '#shared/webhooks/store/webhook-health-repository.ts';
import { createWebhookRepository } from '#shared/webhooks/store/webhook-repository.ts';
import { listFailingWebhooks } from './list-failing-webhooks.ts';
import { readDelivery } from './read-delivery.ts';

interface Dependencies {
  readonly dynamo: DynamoDBDocumentClient;
  readonly tables: Readonly<Record<'clients' | 'webhooks' | 'webhookHealth' | 'deliveries' | 'audit', string>>;
  readonly clock: Clock;
}

/** The operators' lookups of webhooks and their deliveries. */
export function lookUpWebhooks({ dynamo, tables, clock }: Dependencies): Handler {
  const registerLookup = createRegisterLookup(clock);
  const listChanges = createListChanges(dynamo, tables.audit, clock);
  const named = createWithClientNames(dynamo, tables.clients, clock);
  const findClient = createFindClient(dynamo, tables.clients);
  const webhooks = createWebhookRepository(dynamo, tables.webhooks);
  const readHealths = createReadHealths(dynamo, tables.webhookHealth, clock);
  return routeByPath(
    new Map([
      registerLookup(webhookLookup.listWebhooksContract, async ({ query }) => {
        const { clientId } = query();
        const [client, { webhooks: found, unreadableIds }] = await Promise.all([
          findClient(clientId),
          webhooks.list(clientId),
        ]);
        if (client === undefined) throw noClient();
        const healths = await readHealths(found);
        const items = found.map((one, position) => described(one, healths[position]));
        const missing = unreadableIds.length > 0 ? { unreadableIds: [...unreadableIds] } : {};
        return { body: { items, ...missing }, ids: { clientId } };
      }),
      registerLookup(webhookLookup.readWebhookContract, async ({ query }) => {
        const { clientId, webhookId } = query();
        const webhook = await webhooks.find(clientId, webhookId);
        if (webhook === undefined) throw noWebhook();
        const [[health], changes] = await Promise.all([readHealths([webhook]), listChanges(webhookId)]);
        const { userId, activeSince } = webhook;
        const body = { clientId, ...described(webhook, health), userId, activeSince, changes };
        return { body, ids: { clientId, webhookId } };
      }),
      registerLookup(
        webhookLookup.listFailingWebhooksContract,
        named(
          listFailingWebhooks({
            listFailing: createListFailing(dynamo, tables.webhookHealth, clock),
            webhooks,
            countUnattempted: createCountUnattempted(dynamo, tables.deliveries, clock),
            clock,
          }),
        ),
      ),
      registerLookup(
        webhookLookup.readDeliveryContract,
        readDelivery({
          deliveries: createDeliveryRepository(dynamo, tables.deliveries),
          webhooks,
          readHealths,
          listChanges,
          clock,
        }),
      ),
    ]),
  );
}

function described(webhook: Webhook, known: KnownHealth | undefined): z.infer<typeof webhookLookup.lookedUpWebhook> {
  const { health } = known ?? {};
  // An inactive webhook has no waiting deliveries, and gets no new ones.
  const circuit = webhook.status ? known?.circuit : undefined;
  return webhookLookup.lookedUpWebhook.parse({
    ...webhook,
    isActive: webhook.status,
    host: new URL(webhook.url).host,
    failures: health?.failures ?? 0,
    failingSince: health?.failingSince,
    lastError: health && lastErrorOf(health),
    parkedUntil: circuit?.state === 'OPEN' ? circuit.until : undefined,
    deliveriesPausedAt: circuit?.pausedAt,
  });
}
