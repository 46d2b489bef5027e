import type { Clock } from '#shared/platform/clock.ts';
import { messageLostAt } from '#shared/platform/dynamodb/due-queue.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { webhookErrors } from '#shared/webhooks/contract/webhook-errors.ts';
import { type Delivery, MOST_LOGGED_ATTEMPTS } from '#shared/webhooks/model/delivery.ts';
import type { Webhook } from '#shared/webhooks/model/webhook.ts';
import type { DeliveryQueue } from '#shared/webhooks/store/delivery-repository.ts';
import type { WebhookHealths } from '#shared/webhooks/store/webhook-health-repository.ts';
import { type SendDeliveryMessage, sendHint } from './delivery-messages.ts';

interface Dependencies {
  readonly health: Pick<WebhookHealths, 'closeCircuit'>;
  readonly queue: Pick<DeliveryQueue, 'requeue'>;
  readonly sendMessage: SendDeliveryMessage;
  readonly clock: Clock;
}

/**
 * Milliseconds for which the requeue is retried while another process reschedules the delivery because of the open
 * circuit.
 */
const TIMEOUT = 2000;
const PAUSE = 200;

/**
 * Makes a delivery due now, and closes the webhook's circuit if it is open. A delivery that was requested at
 * `requestedAt` or later is returned unchanged.
 *
 * @throws {ApiError} WEBHOOK_INACTIVE, TOO_MANY_ATTEMPTS
 */
export type Resend = (webhook: Webhook, delivery: Delivery, requestedAt: string) => Promise<Delivery>;

export function createResend(deps: Dependencies): Resend {
  return async (webhook, delivery, requestedAt) => {
    if (!webhook.status) throw new ApiError(webhookErrors.WEBHOOK_INACTIVE);
    if (delivery.attempts.length >= MOST_LOGGED_ATTEMPTS) {
      throw new ApiError(webhookErrors.TOO_MANY_ATTEMPTS);
    }
    const wasOpen = await deps.health.closeCircuit(webhook);
    const requeued = await requeueInTime(deps, delivery.deliveryId, requestedAt, wasOpen ? TIMEOUT : 0);
    if (requeued !== undefined) await sendHint(deps.sendMessage, requeued);
    return requeued ?? delivery;
  };
}

/**
 * Retries the requeue until the time-out: a process that found the circuit open may hold the delivery for a moment, to
 * reschedule it.
 */
async function requeueInTime({ queue, clock }: Dependencies, deliveryId: string, requestedAt: string, timeout: number) {
  const givesUpAt = clock.now().getTime() + timeout;
  for (;;) {
    const now = clock.now();
    const request = { trigger: 'MANUAL', requestedAt, dueAt: messageLostAt(now) } as const;
    const requeued = await queue.requeue(deliveryId, request, now);
    if (requeued !== undefined || now.getTime() >= givesUpAt) return requeued;
    await clock.sleep(PAUSE);
  }
}
