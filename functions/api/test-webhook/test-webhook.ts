import type { testWebhook as contract } from '#shared/contracts/test-webhook.ts';
import { hasArrived } from '#shared/domain/delivery-verdict.ts';
import { Refusal } from '#shared/domain/refusal.ts';
import { serviceEvent } from '#shared/domain/service-event.ts';
import type { WebhookHealths } from '#shared/dynamodb/webhook-health.ts';
import type { Webhooks } from '#shared/dynamodb/webhooks.ts';
import { ownedWebhook } from '#shared/http/owned-webhook.ts';
import type { UseCase } from '#shared/http/use-case.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import type { SendEvent } from '#shared/webhooks/send-event.ts';

interface Dependencies {
  readonly webhooks: Pick<Webhooks, 'find'>;
  readonly health: Pick<WebhookHealths, 'settle'>;
  readonly sendEvent: SendEvent;
  readonly clock: Clock;
  readonly newId: () => string;
}

/** Sent in the same way as deliveries, once, and kept nowhere. One that arrives ends the parking of the webhook. */
export function testWebhook({ webhooks, health, sendEvent, clock, newId }: Dependencies): UseCase<typeof contract> {
  return async ({ clientId, path }) => {
    const webhook = await ownedWebhook(webhooks, clientId, path);
    if (!webhook.status) throw new Refusal('WEBHOOK_INACTIVE');
    const { webhookId } = webhook;
    const occurredAt = clock.now().toISOString();
    const event = serviceEvent(
      { eventId: `evt_${newId()}`, clientId, type: 'webhook.test', occurredAt },
      { webhookId },
    );
    const { statusCode, error, durationMs } = await sendEvent(webhook, event);
    const delivered = hasArrived(statusCode);
    if (delivered) await health.settle(webhook, event.eventId, true);
    return {
      body: {
        delivered,
        ...(statusCode !== undefined && { statusCode }),
        ...(error !== undefined && { error }),
        durationMs,
      },
    };
  };
}
