import type * as z from 'zod/mini';
import { type Delivery, isCancelledBy } from './delivery.ts';
import { deliveryAnswer } from './delivery-contract.ts';
import type { DeliveryLog } from './delivery-store.ts';
import type { Webhook } from './webhook.ts';

type DeliveryAnswer = z.infer<typeof deliveryAnswer>;

/**
 * A delivery as its client sees it: what the answer has of it, and nothing else. One that waits for a webhook that cancels
 * it is shown as cancelled from then on: the queue writes it down only when its time comes.
 */
export function describeDelivery({ delivery, attempts }: DeliveryLog, webhook: Webhook): DeliveryAnswer {
  const isCancelled = delivery.status === 'PENDING' && isCancelledBy(webhook, delivery);
  return deliveryAnswer.parse({
    ...(isCancelled ? asCancelled(delivery) : delivery),
    id: delivery.deliveryId,
    attempts: [...attempts],
  } satisfies DeliveryAnswer);
}

function asCancelled({ nextAttemptAt: _, ...delivery }: Delivery): Delivery {
  return { ...delivery, status: 'CANCELLED', reason: 'WEBHOOK_INACTIVE' };
}
