import { describeDelivery } from '#shared/contracts/delivery-answer.ts';
import type { listDeliveries as contract } from '#shared/contracts/list-deliveries.ts';
import type { Deliveries } from '#shared/dynamodb/deliveries.ts';
import type { Webhooks } from '#shared/dynamodb/webhooks.ts';
import { deliveryOfWebhook } from '#shared/http/delivery-of-webhook.ts';
import { ownedWebhook } from '#shared/http/owned-webhook.ts';
import { invalidCursor, pageOf } from '#shared/http/page.ts';
import type { UseCase } from '#shared/http/use-case.ts';
import type { Clock } from '#shared/runtime/clock.ts';

interface Dependencies {
  readonly webhooks: Pick<Webhooks, 'find'>;
  readonly deliveries: Deliveries;
  readonly clock: Clock;
}

/** A cursor is a delivery's id, and is checked to be one of the webhook's. */
export function listDeliveries({ webhooks, deliveries, clock }: Dependencies): UseCase<typeof contract> {
  return async ({ clientId, path, query }) => {
    const webhook = await ownedWebhook(webhooks, clientId, path);
    const { limit, cursor } = query();
    const now = clock.now();
    const after = cursor === undefined ? undefined : await deliveryOfWebhook(deliveries, webhook, cursor, now);
    if (cursor !== undefined && after === undefined) throw invalidCursor();
    const { items, examined } = await pageOf({
      limit: Number(limit),
      ids: deliveries.idsOfWebhook(webhook.webhookId, after?.delivery),
      getAll: (ids) => Promise.all(ids.map((deliveryId) => deliveries.find(deliveryId, now))),
    });
    return {
      body: {
        deliveries: items.map((item) => describeDelivery(item, webhook)),
        ...(examined && { nextCursor: examined.delivery.deliveryId }),
      },
    };
  };
}
