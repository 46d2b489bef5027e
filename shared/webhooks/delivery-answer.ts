import type * as z from 'zod/mini';
import { type Delivery, isCancelledBy } from './delivery.ts';
import type { delivery as deliverySchema } from './delivery-contract.ts';
import type { Webhook } from './webhook.ts';

type DeliveryAnswer = z.infer<typeof deliverySchema>;

interface Logged {
  readonly delivery: Delivery;
  readonly attempts: readonly DeliveryAnswer['attempts'][number][];
}

/**
 * A delivery as its client sees it. One that waits for a webhook that cancels it is shown as cancelled from then on: the
 * queue writes it down only when its time comes.
 */
export function describeDelivery({ delivery, attempts }: Logged, webhook: Webhook): DeliveryAnswer {
  const { deliveryId, eventId, type, status, reason, createdAt, nextAttemptAt } = delivery;
  const isCancelled = status === 'PENDING' && isCancelledBy(webhook, delivery);
  return {
    id: deliveryId,
    eventId,
    type,
    ...(isCancelled
      ? { status: 'CANCELLED', reason: 'WEBHOOK_INACTIVE' }
      : { status, ...(reason && { reason }), ...(nextAttemptAt !== undefined && { nextAttemptAt }) }),
    createdAt,
    attempts: [...attempts],
  };
}
