import { isCancelledBy } from '#shared/domain/delivery.ts';
import type { Webhook } from '#shared/domain/webhook.ts';
import type { ClaimedDelivery, DeliveryClaims } from '#shared/dynamodb/delivery-claims.ts';
import type { Events } from '#shared/dynamodb/events.ts';
import type { WebhookHealths } from '#shared/dynamodb/webhook-health.ts';
import type { Webhooks } from '#shared/dynamodb/webhooks.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import { describe, log } from '#shared/runtime/logger.ts';
import type { DeliveryMessage } from '#shared/sqs/delivery-messages.ts';
import type { Attempt, SendEvent } from '#shared/webhooks/send-event.ts';
import type { ConcludeAttempt } from './conclude-attempt.ts';
import type { NextAttempts } from './next-attempts.ts';

interface Dependencies {
  readonly claims: Pick<DeliveryClaims, 'claim' | 'end'>;
  readonly webhooks: Pick<Webhooks, 'find'>;
  readonly events: Pick<Events, 'find'>;
  readonly health: Pick<WebhookHealths, 'admit' | 'release'>;
  readonly sendEvent: SendEvent;
  readonly next: NextAttempts;
  readonly conclude: ConcludeAttempt;
  /** Attempts of one webhook that may be under way at the same time. */
  readonly slotsPerWebhook: number;
  readonly clock: Clock;
  readonly newId: () => string;
}

/** Processes that may die over one attempt before it counts as one that kills them. */
const MOST_CLAIMS = 5;

/** Makes the attempt that a message asks for, if it is still to be made, and by nobody else. */
export function deliverWebhook(deps: Dependencies) {
  const { claims, health, next, conclude, clock, newId } = deps;
  return async (message: DeliveryMessage): Promise<void> => {
    const claim = await claims.claim(message.deliveryId, message.attempt, newId(), clock.now());
    if (claim.state === 'EARLY') await next.holdBack(message, claim.nextAttemptAt);
    if (claim.state !== 'CLAIMED') return;
    const { delivery } = claim;
    let made: { readonly webhook: Webhook; readonly attempt: Attempt } | undefined;
    try {
      made = await attempt(deps, delivery, message);
    } catch (error) {
      // A fault of ours is no attempt: nothing was sent, and the client's schedule loses nothing by it.
      const { deliveryId, webhookId } = delivery;
      log.error('DELIVERY_NOT_ATTEMPTED', { deliveryId, webhookId, cause: describe(error) });
      await next.afterFault(delivery);
      await health.release(webhookId, delivery.claimToken);
    }
    if (made !== undefined) await conclude(delivery, made.webhook, made.attempt);
  };
}

/**
 * Nothing when the delivery is over, or is not the webhook's turn. The webhook is read after the claim, so that what its
 * client changed last is what holds.
 */
async function attempt(deps: Dependencies, delivery: ClaimedDelivery, { putOffs }: DeliveryMessage) {
  const { claims, webhooks, events, health, sendEvent, next, slotsPerWebhook } = deps;
  const { deliveryId, webhookId, clientId, eventId, claimToken } = delivery;
  const webhook = await webhooks.find(clientId, webhookId);
  if (webhook === undefined || isCancelledBy(webhook, delivery)) {
    await claims.end(delivery, 'CANCELLED', 'WEBHOOK_INACTIVE');
    return;
  }
  const event = await events.find(eventId);
  if (event === undefined || delivery.claims > MOST_CLAIMS) {
    const cause = event === undefined ? 'NO_EVENT' : 'TOO_MANY_CLAIMS';
    log.error('DELIVERY_GIVEN_UP', { deliveryId, webhookId, cause });
    await claims.end(delivery, 'FAILED', 'INTERNAL');
    return;
  }
  const admission = await health.admit(webhook, claimToken, slotsPerWebhook);
  if (admission.state === 'ADMITTED') return { webhook, attempt: await sendEvent(webhook, event) };
  if (admission.state === 'PARKED') await next.afterParking(delivery, admission.until);
  else await next.whenSlotsAreFree(delivery, putOffs);
  return;
}
