import type * as z from 'zod/mini';
import { asDue, type Delivery, isCancelledBy } from './delivery.ts';
import { deliveryAnswer } from './delivery-contract.ts';
import type { DeliveryLog } from './delivery-store.ts';
import type { Webhook } from './webhook.ts';
import type { Circuit } from './webhook-health.ts';

type DeliveryAnswer = z.infer<typeof deliveryAnswer>;

/**
 * A delivery as its client sees it: only the fields of the answer. A waiting delivery that its webhook cancels is shown
 * as cancelled at once; it is written as cancelled only when it is due.
 *
 * @param circuit of its webhook, not given where it cannot be open
 */
export function describeDelivery(
  { delivery, attempts }: DeliveryLog,
  webhook: Webhook,
  circuit?: Circuit,
): DeliveryAnswer {
  const isCancelled = delivery.status === 'PENDING' && isCancelledBy(webhook, delivery);
  return deliveryAnswer.parse({
    ...(isCancelled ? asCancelled(delivery) : asDue(delivery, circuit)),
    id: delivery.deliveryId,
    attempts: [...attempts],
  } satisfies DeliveryAnswer);
}

function asCancelled({ nextAttemptAt: _, ...delivery }: Delivery): Delivery {
  return { ...delivery, status: 'CANCELLED', reason: 'WEBHOOK_INACTIVE' };
}
