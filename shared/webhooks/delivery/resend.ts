import type { Clock } from '#shared/platform/clock.ts';
import { lostAfter } from '#shared/platform/dynamodb/due-queue.ts';
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
 * Milliseconds for which the request is repeated while another process reschedules the delivery because of the open
 * circuit.
 */
const TIMEOUT = 2000;
const PAUSE = 200;

/**
 * Makes a delivery of the webhook now, even if the circuit was open, which this ends. A delivery that was asked for
 * since `requestedAt` is returned as it is.
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
    const asked = await ask(deps, delivery.deliveryId, requestedAt, wasOpen ? TIMEOUT : 0);
    if (asked !== undefined) await sendHint(deps.sendMessage, asked);
    return asked ?? delivery;
  };
}

/**
 * A process that found the circuit open has claimed the delivery for a moment, to reschedule it: during that time it
 * cannot be asked for.
 */
async function ask({ queue, clock }: Dependencies, deliveryId: string, requestedAt: string, timeout: number) {
  const givesUpAt = clock.now().getTime() + timeout;
  for (;;) {
    const now = clock.now();
    const request = { trigger: 'MANUAL', requestedAt, dueAt: lostAfter(now) } as const;
    const asked = await queue.requeue(deliveryId, request, now);
    if (asked !== undefined || now.getTime() >= givesUpAt) return asked;
    await clock.sleep(PAUSE);
  }
}
