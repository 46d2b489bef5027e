import type { Events } from '#shared/events/event-repository.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { describeDelivery, type getDeliveryContract } from '#shared/webhooks/contract/delivery-contract.ts';
import { webhookErrors } from '#shared/webhooks/contract/webhook-errors.ts';
import type { Deliveries } from '#shared/webhooks/store/delivery-repository.ts';
import { findDeliveryOfWebhook, findOwnedWebhook } from '#shared/webhooks/store/owned-webhook.ts';
import type { ReadCircuit } from '#shared/webhooks/store/webhook-health-repository.ts';
import type { Webhooks } from '#shared/webhooks/store/webhook-repository.ts';

interface Dependencies {
  readonly webhooks: Pick<Webhooks, 'find'>;
  readonly deliveries: Pick<Deliveries, 'find'>;
  readonly events: Pick<Events, 'find'>;
  readonly readCircuit: ReadCircuit;
  readonly clock: Clock;
}

export function getDelivery(deps: Dependencies): UseCase<typeof getDeliveryContract> {
  const { webhooks, deliveries, events, readCircuit, clock } = deps;
  return async ({ clientId, path, query }) => {
    const webhook = await findOwnedWebhook(webhooks, clientId, path);
    query();
    const delivery = await findDeliveryOfWebhook(deliveries, webhook, path.delivery_id, clock.now());
    if (delivery === undefined) throw new ApiError(webhookErrors.DELIVERY_NOT_FOUND);
    const [event, circuit] = await Promise.all([events.find(delivery.eventId), readCircuit(webhook)]);
    if (event === undefined) throw new Error(`The event of ${delivery.deliveryId} has expired before it.`);
    return { body: { ...describeDelivery(delivery, webhook, circuit), body: event.body } };
  };
}
