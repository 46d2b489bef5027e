import type * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { type testWebhookContract, webhookTestAnswer } from '#shared/webhooks/contract/delivery-contract.ts';
import { webhookErrors } from '#shared/webhooks/contract/webhook-errors.ts';
import { newTestEvent } from '#shared/webhooks/contract/webhook-events.ts';
import type { SendEvent } from '#shared/webhooks/http-client/send-event.ts';
import { isSuccess } from '#shared/webhooks/model/delivery-outcome.ts';
import { findOwnedWebhook } from '#shared/webhooks/store/owned-webhook.ts';
import type { WebhookHealths } from '#shared/webhooks/store/webhook-health-repository.ts';
import type { Webhooks } from '#shared/webhooks/store/webhook-repository.ts';

type Answer = z.infer<typeof webhookTestAnswer>;

interface Dependencies {
  readonly webhooks: Pick<Webhooks, 'find'>;
  readonly health: Pick<WebhookHealths, 'recordResult'>;
  readonly sendEvent: SendEvent;
  readonly clock: Clock;
  readonly newId: () => string;
}

/** Sends a test event like a delivery, once, without storing it. A successful test closes the circuit. */
export function testWebhook({
  webhooks,
  health,
  sendEvent,
  clock,
  newId,
}: Dependencies): UseCase<typeof testWebhookContract> {
  return async ({ clientId, path }) => {
    const webhook = await findOwnedWebhook(webhooks, clientId, path);
    if (!webhook.status) throw new ApiError(webhookErrors.WEBHOOK_INACTIVE);
    const event = newTestEvent(webhook, newId(), clock.now());
    const attempt = await sendEvent(webhook, event);
    const delivered = isSuccess(attempt.statusCode);
    if (delivered) await health.recordResult(webhook, event.eventId, attempt);
    return { body: webhookTestAnswer.parse({ ...attempt, delivered } satisfies Answer) };
  };
}
