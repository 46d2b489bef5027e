import type { Clock } from '#shared/platform/clock.ts';
import { invalidCursor, readPage } from '#shared/platform/http/page.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { leaveOutUnreadable } from '#shared/platform/unreadable.ts';
import { describeDelivery, type listDeliveriesContract } from '#shared/webhooks/contract/delivery-contract.ts';
import type { Deliveries } from '#shared/webhooks/store/delivery-repository.ts';
import { findDeliveryOfWebhook, findOwnedWebhook } from '#shared/webhooks/store/owned-webhook.ts';
import type { ReadCircuit } from '#shared/webhooks/store/webhook-health-repository.ts';
import type { Webhooks } from '#shared/webhooks/store/webhook-repository.ts';

interface Dependencies {
  readonly webhooks: Pick<Webhooks, 'find'>;
  readonly deliveries: Deliveries;
  readonly readCircuit: ReadCircuit;
  readonly clock: Clock;
}

/** A cursor is a delivery's id; it must belong to the webhook. */
export function listDeliveries({
  webhooks,
  deliveries,
  readCircuit,
  clock,
}: Dependencies): UseCase<typeof listDeliveriesContract> {
  return async ({ clientId, path, query }) => {
    const webhook = await findOwnedWebhook(webhooks, clientId, path);
    const { limit, cursor } = query();
    const now = clock.now();
    const after = cursor === undefined ? undefined : await findDeliveryOfWebhook(deliveries, webhook, cursor, now);
    if (cursor !== undefined && after === undefined) throw invalidCursor();
    const { items, examined } = await readPage({
      limit: Number(limit),
      ids: deliveries.idsOfWebhook(webhook.webhookId, after),
      getAll: (ids) =>
        Promise.all(ids.map((deliveryId) => deliveries.find(deliveryId, now).catch(leaveOutUnreadable(deliveryId)))),
    });
    const circuit = await readCircuit(webhook).catch(leaveOutUnreadable(webhook.webhookId));
    return {
      body: {
        deliveries: items.map((item) => describeDelivery(item, webhook, circuit)),
        ...(examined && { nextCursor: examined.deliveryId }),
      },
    };
  };
}
