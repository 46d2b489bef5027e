import type { Events } from '#shared/events/event-repository.ts';
import { isOwnEvent } from '#shared/events/service-event.ts';
import { type Clock, secondsSince } from '#shared/platform/clock.ts';
import type { Slot } from '#shared/platform/dynamodb/slots.ts';
import { idsIn } from '#shared/platform/ids.ts';
import { addFields, describe, log } from '#shared/platform/logger.ts';
import { isUnreadable } from '#shared/platform/unreadable.ts';
import { newTestEvent } from '#shared/webhooks/contract/webhook-events.ts';
import type { DeliveryMessage, ProbeMessage } from '#shared/webhooks/delivery/delivery-messages.ts';
import type { Attempt, SendEvent } from '#shared/webhooks/http-client/send-event.ts';
import { type Delivery, isCancelledBy, isManualAttempt } from '#shared/webhooks/model/delivery.ts';
import type { Webhook } from '#shared/webhooks/model/webhook.ts';
import type { ClaimedDelivery, DeliveryClaims } from '#shared/webhooks/store/delivery-claims.ts';
import type { DeliveryLane, DeliverySlots } from '#shared/webhooks/store/delivery-slots.ts';
import type { WebhookHealths } from '#shared/webhooks/store/webhook-health-repository.ts';
import type { Webhooks } from '#shared/webhooks/store/webhook-repository.ts';
import type { ConcludeAttempt, ConcludeCall, NextAttempts } from './conclude-attempt.ts';

interface Dependencies {
  readonly slots: DeliverySlots;
  readonly claims: Pick<DeliveryClaims, 'claim' | 'end'>;
  readonly webhooks: Pick<Webhooks, 'find'>;
  readonly events: Pick<Events, 'find'>;
  readonly health: Pick<WebhookHealths, 'responsiveness' | 'requestAttempt'>;
  readonly sendEvent: SendEvent;
  readonly next: NextAttempts;
  readonly conclude: ConcludeAttempt;
  readonly clock: Clock;
  readonly newId: () => string;
}

/** A call that was made. */
interface Made {
  readonly webhook: Webhook;
  readonly attempt: Attempt;
  /** The `occurredAt` of the event that was sent. */
  readonly occurredAt: string;
}

/** Claims of one attempt before it counts as poison. */
const MOST_CLAIMS = 5;

/**
 * Makes the attempt of a message, if it is still due and no other process holds it. It acquires the slots before it
 * reads or writes anything else, so that a message without a slot costs little.
 */
export function deliverWebhook(deps: Dependencies) {
  const { slots, health, next, newId } = deps;
  return async (message: DeliveryMessage, lane: DeliveryLane): Promise<void> => {
    const token = newId();
    const responsiveness = await health.responsiveness(message.webhookId);
    if (responsiveness === 'HANGS' && lane === 'first') {
      await next.giveWay(message);
      return;
    }
    const acquired = await slots.acquire(lane, message, responsiveness, token);
    if (acquired.state === 'BUSY') {
      await next.requeue(message, responsiveness, acquired.heldSeconds);
      return;
    }
    try {
      const isPrompt = message.waited === 0 && responsiveness === 'ANSWERS';
      await attemptOnce(deps, message, { token, lane, isPrompt });
    } finally {
      await release(slots, acquired.slots, message);
    }
  };
}

interface Acquired {
  readonly token: string;
  readonly lane: DeliveryLane;
  /** True if the message did not wait for a slot, and the endpoint answers its calls. */
  readonly isPrompt: boolean;
}

async function attemptOnce(
  deps: Dependencies,
  message: DeliveryMessage,
  { token, lane, isPrompt }: Acquired,
): Promise<void> {
  const { claims, next, conclude, clock } = deps;
  const claim = await claims.claim(message.deliveryId, message.attempt, token, clock.now());
  if (claim.state === 'EARLY') await next.delay(message, claim.nextAttemptAt);
  if (claim.state !== 'CLAIMED') return;
  const { delivery } = claim;
  let made: Made | undefined;
  try {
    made = await attempt(deps, delivery);
  } catch (error) {
    // A fault of the service is not an attempt: nothing was sent, and the retry schedule does not advance.
    const { deliveryId, webhookId, eventId } = delivery;
    log.error('DELIVERY_NOT_ATTEMPTED', { deliveryId, webhookId, cause: describe(error) });
    // The line above calls a person only if there are many. An unreadable item needs one at once: it stays unreadable.
    if (isUnreadable(error)) log.error('ITEM_UNREADABLE', { id: eventId, webhookId });
    await next.afterFault(delivery);
  }
  if (made === undefined) return;
  // Measures only calls whose time the service alone decided: in the retry queue, only those after a fault of the
  // service.
  if (isPrompt && (lane === 'first' || delivery.isPutOff))
    addFields({ secondsToFirstCall: secondsToFirstCall(delivery, made) });
  await conclude(delivery, made.webhook, made.attempt);
}

/** Only own events count, because other services may publish late, and only attempts that no client requested. */
function secondsToFirstCall({ eventId, trigger, attempts }: Delivery, { attempt, occurredAt }: Made) {
  const isFirst = trigger === 'SCHEDULED' && attempts.length === 0 && isOwnEvent(eventId);
  return isFirst ? secondsSince(occurredAt, new Date(attempt.at)) : undefined;
}

/**
 * Returns `undefined` if the delivery has ended, or may not be attempted now. The webhook is read after the claim, for
 * its latest configuration.
 */
async function attempt(deps: Dependencies, delivery: ClaimedDelivery): Promise<Made | undefined> {
  const { claims, webhooks, events, health, sendEvent, next } = deps;
  const { deliveryId, webhookId, clientId, eventId, claimToken } = delivery;
  const webhook = await webhooks.find(clientId, webhookId);
  if (webhook === undefined || isCancelledBy(webhook, delivery)) {
    await claims.end(delivery, 'CANCELLED', 'WEBHOOK_INACTIVE');
    return;
  }
  const permission = await health.requestAttempt(webhook, claimToken, isManualAttempt(delivery));
  if (permission.state === 'CIRCUIT_OPEN') {
    await next.afterOpenCircuit(delivery, permission.until);
    return;
  }
  const event = await events.find(eventId);
  addFields({ eventId, ...idsIn(event?.body ?? '') });
  if (event !== undefined && delivery.claims <= MOST_CLAIMS) {
    return { webhook, attempt: await sendEvent(webhook, event), occurredAt: event.occurredAt };
  }
  const cause = event === undefined ? 'NO_EVENT' : 'TOO_MANY_CLAIMS';
  log.error('DELIVERY_GIVEN_UP', { deliveryId, webhookId, cause });
  await claims.end(delivery, 'FAILED', 'INTERNAL');
  return;
}

/** A slot that could not be released becomes free after its lease; the result of the attempt is not affected. */
async function release(slots: DeliverySlots, held: readonly Slot[], { webhookId }: DeliveryMessage): Promise<void> {
  try {
    await slots.release(held);
  } catch (error) {
    log.warn('SLOT_NOT_RELEASED', { webhookId, cause: describe(error) });
  }
}

interface ProbeDependencies {
  readonly slots: DeliverySlots;
  readonly webhooks: Pick<Webhooks, 'find'>;
  readonly health: Pick<WebhookHealths, 'responsiveness' | 'requestProbe'>;
  readonly sendEvent: SendEvent;
  readonly concludeCall: ConcludeCall;
  readonly clock: Clock;
  readonly newId: () => string;
}

/**
 * Sends a paused webhook a test, which is not stored, to see whether it still fails. If there is no slot, or the
 * message is lost, the sweep sends another message; a second message for the same probe finds that it is no longer due.
 */
export function probeWebhook(deps: ProbeDependencies) {
  const { slots, webhooks, health, sendEvent, concludeCall, clock, newId } = deps;
  return async ({ clientId, webhookId }: ProbeMessage): Promise<void> => {
    const token = newId();
    const responsiveness = await health.responsiveness(webhookId);
    const acquired = await slots.acquire('retries', { clientId, webhookId }, responsiveness, token);
    if (acquired.state === 'BUSY') return;
    try {
      const webhook = await webhooks.find(clientId, webhookId);
      if (!webhook?.status || !(await health.requestProbe(webhook))) return;
      await concludeCall(webhook, token, await sendEvent(webhook, newTestEvent(webhook, newId(), clock.now())));
    } finally {
      await slots.release(acquired.slots);
    }
  };
}
