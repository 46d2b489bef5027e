import type { Clock } from '#shared/platform/clock.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import type { ListChanges } from '#shared/platform/operators/list-changes.ts';
import { webhookErrors } from '#shared/webhooks/contract/webhook-errors.ts';
import { lookedUp, type readDeliveryContract } from '#shared/webhooks/contract/webhook-lookups.ts';
import { lastErrorOf, withDueTime } from '#shared/webhooks/model/webhook-health.ts';
import type { Deliveries } from '#shared/webhooks/store/delivery-repository.ts';
import type { ReadHealths } from '#shared/webhooks/store/webhook-health-repository.ts';
import type { Webhooks } from '#shared/webhooks/store/webhook-repository.ts';
import { deliveryNextStep } from './delivery-next-step.ts';

interface Dependencies {
  readonly deliveries: Pick<Deliveries, 'find'>;
  readonly webhooks: Pick<Webhooks, 'find'>;
  readonly readHealths: ReadHealths;
  readonly listChanges: ListChanges;
  readonly clock: Clock;
}

export function readDelivery({
  deliveries,
  webhooks,
  readHealths,
  listChanges,
  clock,
}: Dependencies): UseCase<typeof readDeliveryContract> {
  return async ({ query }) => {
    const { delivery: deliveryId } = query();
    const delivery = await deliveries.find(deliveryId, clock.now());
    if (delivery === undefined) {
      throw new ApiError(webhookErrors.DELIVERY_NOT_FOUND, {
        detail: 'There is no delivery with this id. Deliveries are kept for 90 days.',
      });
    }
    const { clientId, webhookId, eventId } = delivery;
    const webhook = await webhooks.find(clientId, webhookId);
    const [known] = webhook === undefined ? [] : await readHealths([webhook]);
    const circuit = known?.circuit;
    return {
      body: {
        ...delivery,
        ...lookedUp(withDueTime(delivery, circuit)),
        next: deliveryNextStep(delivery, webhook, circuit),
        ...(webhook && {
          webhook: {
            ...webhook,
            host: new URL(webhook.url).host,
            isActive: webhook.status,
            ...(circuit?.state === 'OPEN' && { circuitOpenUntil: circuit.until }),
            lastError: known && lastErrorOf(known.health),
          },
        }),
        changes: await listChanges(deliveryId),
      },
      ids: { deliveryId, clientId, webhookId, eventId },
    };
  };
}
