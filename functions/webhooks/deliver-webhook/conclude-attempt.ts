import { LONGEST_DELAY } from '#shared/platform/aws/messages.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { MESSAGE_LOST_AFTER, planWait } from '#shared/platform/dynamodb/due-queue.ts';
import { retryOnConflict } from '#shared/platform/dynamodb/transaction.ts';
import { log } from '#shared/platform/logger.ts';
import {
  type DeliveryMessage,
  type SendDeliveryMessage,
  sendHint,
} from '#shared/webhooks/delivery/delivery-messages.ts';
import type { Attempt } from '#shared/webhooks/http-client/send-event.ts';
import { dueAfterOpenCircuit } from '#shared/webhooks/model/delivery.ts';
import { type AttemptOutcome, attemptOutcome, isGone } from '#shared/webhooks/model/delivery-outcome.ts';
import type { Webhook } from '#shared/webhooks/model/webhook.ts';
import type { Responsiveness } from '#shared/webhooks/model/webhook-health.ts';
import type { ClaimedDelivery, DeliveryClaims } from '#shared/webhooks/store/delivery-claims.ts';
import type { WebhookHealths } from '#shared/webhooks/store/webhook-health-repository.ts';
import type { ChangeWebhook, Webhooks } from '#shared/webhooks/store/webhook-repository.ts';

interface NextDependencies {
  readonly claims: Pick<DeliveryClaims, 'finish' | 'reschedule'>;
  /** For the first two attempts of a delivery, and while its webhook waits for its first call. */
  readonly sendFirst: SendDeliveryMessage;
  /** For all later attempts, so that they cannot delay new events. */
  readonly sendRetry: SendDeliveryMessage;
  readonly clock: Clock;
}

/** Approximate longest delay, in seconds, of a message that found no free slot. */
const LONGEST_WAIT = 60;

/** Seconds by which the message of a hanging webhook is delayed, so that other webhooks get free slots first. */
const WAY_GIVEN = 5;

/** Seconds after which every call has ended and its slot is free. */
const LONGEST_CALL = 15;

/** Seconds until an attempt is repeated after a fault of the service. */
const FAULT_PAUSE = 60;

/**
 * Writes the time of a delivery's next attempt into the table, and sends its message if that is soon. The sweep sends
 * later and lost messages.
 */
export function createNextAttempts({ claims, sendFirst, sendRetry, clock }: NextDependencies) {
  const secondsTo = (instant: string) => (Date.parse(instant) - clock.now().getTime()) / 1000;
  const inSeconds = (seconds: number) => new Date(clock.now().getTime() + seconds * 1000).toISOString();

  return {
    /** Records an attempt and its outcome; false when the lease was lost and another process has made the attempt. */
    async record(delivery: ClaimedDelivery, attempt: Attempt, outcome: AttemptOutcome): Promise<boolean> {
      const nextAt = outcome.status === 'PENDING' ? outcome.nextAttemptAt : undefined;
      const { delaySeconds, dueAt } = nextAt === undefined ? {} : planWait(nextAt, clock.now());
      if (!(await claims.finish(delivery, attempt, outcome, dueAt))) return false;
      const sendNext = delivery.attemptsMade === 0 && attempt.statusCode !== undefined ? sendFirst : sendRetry;
      const attempts = [...delivery.attempts, { ...attempt, trigger: delivery.trigger }];
      if (delaySeconds !== undefined) await sendHint(sendNext, { ...delivery, attempts }, delaySeconds);
      return true;
    },

    /** Delays a message that came early. */
    async delay(message: DeliveryMessage, nextAttemptAt: string): Promise<void> {
      if (secondsTo(nextAttemptAt) <= LONGEST_DELAY) await sendRetry(message, secondsTo(nextAttemptAt));
    },

    /** Delays the message of a webhook that hangs, so that webhooks that were never called go first. */
    giveWay: (message: DeliveryMessage): Promise<void> => sendRetry(message, WAY_GIVEN),

    /**
     * Delays a message that found no free slot for about as long as the calls that hold the slots, longer each time.
     * After a few dozen times it is dropped, because each time it may be duplicated, and so may the copies; the sweep
     * then sends a new one. A webhook that was never called retries when the call in its way ends, before those that
     * are known to hang.
     */
    async requeue(message: DeliveryMessage, responsiveness: Responsiveness, heldSeconds: number): Promise<void> {
      const isFirstCall = responsiveness === 'UNKNOWN';
      const about = Math.min(1 + heldSeconds + message.waited / 2, LONGEST_WAIT);
      const patience = isFirstCall ? LONGEST_CALL : 0;
      const freeIn = Math.max(1, LONGEST_CALL - heldSeconds, (message.waited - patience) / 4) + clock.random();
      const longest = responsiveness === 'HANGS' ? Number.POSITIVE_INFINITY : freeIn;
      const seconds = Math.ceil(Math.min(about * (0.5 + clock.random()), longest));
      const waited = message.waited + seconds;
      const send = isFirstCall ? sendFirst : sendRetry;
      if (waited <= MESSAGE_LOST_AFTER) await send({ ...message, waited }, seconds);
    },

    /** Waiting for an open circuit is not an attempt. */
    afterOpenCircuit: (delivery: ClaimedDelivery, until: string): Promise<void> =>
      claims.reschedule(delivery, dueAfterOpenCircuit(until, clock.random)),

    afterFault: (delivery: ClaimedDelivery): Promise<void> => claims.reschedule(delivery, inSeconds(FAULT_PAUSE), true),
  };
}

export type NextAttempts = ReturnType<typeof createNextAttempts>;

interface Dependencies {
  readonly next: NextAttempts;
  readonly concludeCall: ConcludeCall;
  readonly webhooks: Pick<Webhooks, 'find'>;
  readonly clock: Clock;
}

/** Records the result of an attempt, first on the delivery, then on the webhook. */
export type ConcludeAttempt = (delivery: ClaimedDelivery, webhook: Webhook, attempt: Attempt) => Promise<void>;

export function createConcludeAttempt({ next, concludeCall, webhooks, clock }: Dependencies): ConcludeAttempt {
  const hasMoved = async ({ clientId, webhookId, url }: Webhook) => {
    const known = await webhooks.find(clientId, webhookId);
    return known?.status === true && known.url !== url;
  };
  return async (delivery, webhook, attempt) => {
    const { deliveryId, webhookId, claimToken } = delivery;
    // A client may change the address, and then let the old endpoint answer 410 to calls that were under way.
    const ended = { ...attempt, hasMoved: isGone(attempt.statusCode) && (await hasMoved(webhook)) };
    const outcome = attemptOutcome(ended, delivery.attemptsMade + 1, clock.now(), clock.random);
    if (!(await next.record(delivery, attempt, outcome))) log.warn('DELIVERY_LEASE_LOST', { deliveryId, webhookId });
    if (outcome.status === 'FAILED') log.warn('DELIVERY_FAILED', { deliveryId, webhookId, reason: outcome.reason });
    await concludeCall(webhook, claimToken, attempt);
  };
}

/** Records the result of a call on its webhook. */
export type ConcludeCall = (webhook: Webhook, token: string, attempt: Attempt) => Promise<void>;

export function createConcludeCall({
  health,
  deactivate,
}: {
  readonly health: Pick<WebhookHealths, 'recordResult'>;
  readonly deactivate: DeactivateWebhook;
}): ConcludeCall {
  return async (webhook, token, attempt) => {
    const { clientId, webhookId } = webhook;
    if (isGone(attempt.statusCode)) await deactivate(webhook, 'ENDPOINT_GONE');
    const finding = await health.recordResult(webhook, token, attempt);
    if (finding === 'PAUSED') log.warn('WEBHOOK_PAUSED', { clientId, webhookId });
    if (finding === 'FAILING_FOR_GOOD') await deactivate(webhook, 'ENDPOINT_FAILING');
  };
}

interface DeactivateDependencies {
  readonly webhooks: Pick<Webhooks, 'find'>;
  readonly changeWebhook: ChangeWebhook;
  readonly clock: Clock;
}

/** Deactivates a webhook because of its endpoint, unless its client has changed the address meanwhile. */
export type DeactivateWebhook = (called: Webhook, reason: NonNullable<Webhook['statusReason']>) => Promise<void>;

export function createDeactivateWebhook({ webhooks, changeWebhook, clock }: DeactivateDependencies): DeactivateWebhook {
  return ({ clientId, webhookId, url, activeSince }, statusReason) =>
    retryOnConflict(clock, async () => {
      const webhook = await webhooks.find(clientId, webhookId);
      if (!webhook?.status || webhook.url !== url || webhook.activeSince !== activeSince) return;
      await changeWebhook(webhook, { status: false, statusReason, deactivatedAt: clock.now().toISOString() });
      // A 410 is a deliberate answer; a failing endpoint may be unknown to its client.
      const report = statusReason === 'ENDPOINT_GONE' ? log.warn : log.error;
      report('WEBHOOK_DEACTIVATED', { clientId, webhookId, reason: statusReason });
    });
}
