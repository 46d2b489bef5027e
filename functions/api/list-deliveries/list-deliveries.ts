import { describeDelivery } from '#shared/contracts/delivery-answer.ts';
import type { listDeliveries as contract } from '#shared/contracts/list-deliveries.ts';
import type { Deliveries } from '#shared/dynamodb/deliveries.ts';
import type { Webhooks } from '#shared/dynamodb/webhooks.ts';
import { deliveryOfWebhook } from '#shared/http/delivery-of-webhook.ts';
import type { UseCase } from '#shared/http/endpoint.ts';
import { ownedWebhook } from '#shared/http/owned-webhook.ts';
import { invalidCursor, pageOf } from '#shared/http/page.ts';
import type { Clock } from '#shared/runtime/clock.ts';

interface Dependencies {
  readonly webhooks: Pick<Webhooks, 'find'>;
  readonly deliveries: Deliveries;
  readonly clock: Clock;
}

/** The cursor is the id of the last delivery of the page before: it is checked to be one of the webhook's. */
export function listDeliveries({ webhooks, deliveries, clock }: Dependencies): UseCase<typeof contract> {
  return async ({ clientId, path, query }) => {
    const webhook = await ownedWebhook(webhooks, clientId, path);
    const { limit, cursor } = query();
    const now = clock.now();
    const after = cursor === undefined ? undefined : await deliveryOfWebhook(deliveries, webhook, cursor, now);
    if (cursor !== undefined && after === undefined) throw invalidCursor();
    const ids = deliveries.idsOfWebhook(webhook.webhookId, after?.delivery);
    const find = (deliveryId: string) => deliveries.find(deliveryId, now);
    const { items, isLast } = await pageOf(Number(limit), ids, find, () => true);
    const nextCursor = isLast ? undefined : items.at(-1)?.delivery.deliveryId;
    return {
      body: {
        deliveries: items.map((item) => describeDelivery(item, webhook)),
        ...(nextCursor !== undefined && { nextCursor }),
      },
    };
  };
}
