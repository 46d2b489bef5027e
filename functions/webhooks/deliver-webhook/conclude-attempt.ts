import type { Clock } from '#shared/platform/clock.ts';
import { log } from '#shared/platform/logger.ts';
import type { Attempt } from '#shared/webhooks/http-client/send-event.ts';
import { isGone, outcomeOf } from '#shared/webhooks/model/delivery-outcome.ts';
import type { Webhook } from '#shared/webhooks/model/webhook.ts';
import type { ClaimedDelivery } from '#shared/webhooks/store/delivery-claims.ts';
import type { WebhookHealths } from '#shared/webhooks/store/webhook-health-repository.ts';
import type { DeactivateWebhook } from './deactivate-webhook.ts';
import type { NextAttempts } from './next-attempts.ts';

interface Dependencies {
  readonly next: NextAttempts;
  readonly concludeCall: ConcludeCall;
  readonly clock: Clock;
}

/** Records the result of an attempt, first on the delivery, then on the webhook. */
export type ConcludeAttempt = (delivery: ClaimedDelivery, webhook: Webhook, attempt: Attempt) => Promise<void>;

export function createConcludeAttempt({ next, concludeCall, clock }: Dependencies): ConcludeAttempt {
  return async (delivery, webhook, attempt) => {
    const { deliveryId, webhookId, claimToken } = delivery;
    const outcome = outcomeOf(attempt, delivery.attemptsMade + 1, clock.now(), clock.random);
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
