import type { Clock } from '#shared/platform/clock.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import type { Idempotently } from '#shared/platform/http/idempotency.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { describe, log } from '#shared/platform/logger.ts';
import { type Delivery, MOST_LOGGED_ATTEMPTS } from '#shared/webhooks/delivery.ts';
import { describeDelivery } from '#shared/webhooks/delivery-answer.ts';
import type { resendDelivery as contract } from '#shared/webhooks/delivery-contract.ts';
import { messageFor, type SendDeliveryMessage } from '#shared/webhooks/delivery-messages.ts';
import { deliveryOfWebhook } from '#shared/webhooks/delivery-of-webhook.ts';
import { type DeliveryQueue, lostAfter } from '#shared/webhooks/delivery-queue.ts';
import type { Deliveries } from '#shared/webhooks/delivery-store.ts';
import { ownedWebhook } from '#shared/webhooks/owned-webhook.ts';
import type { WebhookHealths } from '#shared/webhooks/webhook-health-store.ts';
import type { Webhooks } from '#shared/webhooks/webhook-store.ts';

interface Dependencies {
  readonly webhooks: Pick<Webhooks, 'find'>;
  readonly health: Pick<WebhookHealths, 'closeCircuit'>;
  readonly deliveries: Pick<Deliveries, 'find'>;
  readonly queue: Pick<DeliveryQueue, 'requeue'>;
  readonly sendMessage: SendDeliveryMessage;
  /** Its ids are instants: of a request that is repeated, the one at which it was made first. */
  readonly idempotently: Idempotently;
  readonly clock: Clock;
}

/**
 * Milliseconds for which a delivery that another process is rescheduling because of the open circuit is asked for
 * again.
 */
const TIMEOUT = 2000;
const PAUSE = 200;

/** Makes the delivery now, even if the circuit was open. A delivery that is asked for already is returned as it is. */
export function resendDelivery(deps: Dependencies): UseCase<typeof contract> {
  return async (call) => {
    const webhook = await ownedWebhook(deps.webhooks, call.clientId, call.path);
    const found = await deliveryOfWebhook(deps.deliveries, webhook, call.path.delivery_id, deps.clock.now());
    if (found === undefined) throw new ApiError('DELIVERY_NOT_FOUND');
    return deps.idempotently(call, {}, async (requestedAt) => {
      if (!webhook.status) throw new ApiError('WEBHOOK_INACTIVE');
      const { delivery, attempts } = found;
      if (delivery.attemptsLogged >= MOST_LOGGED_ATTEMPTS) {
        throw new ApiError('TOO_MANY_ATTEMPTS', {
          detail: `The delivery has had ${MOST_LOGGED_ATTEMPTS} attempts and gets no more. Read what it was about instead.`,
        });
      }
      const wasOpen = await deps.health.closeCircuit(webhook);
      const asked = await ask(deps, delivery.deliveryId, requestedAt, wasOpen ? TIMEOUT : 0);
      if (asked !== undefined) await hint(deps.sendMessage, asked);
      return describeDelivery({ delivery: asked ?? delivery, attempts }, webhook);
    });
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

/** The sweep sends a message that was not sent here. */
async function hint(sendMessage: SendDeliveryMessage, delivery: Delivery): Promise<void> {
  try {
    await sendMessage(messageFor(delivery), 0);
  } catch (error) {
    log.warn('DELIVERY_MESSAGE_NOT_SENT', { deliveryId: delivery.deliveryId, cause: describe(error) });
  }
}
