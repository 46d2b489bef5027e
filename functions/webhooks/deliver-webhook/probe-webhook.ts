import type { Clock } from '#shared/platform/clock.ts';
import { newTestEvent } from '#shared/webhooks/contract/webhook-events.ts';
import type { ProbeMessage } from '#shared/webhooks/delivery/delivery-messages.ts';
import type { SendEvent } from '#shared/webhooks/http-client/send-event.ts';
import type { DeliverySlots } from '#shared/webhooks/store/delivery-slots.ts';
import type { WebhookHealths } from '#shared/webhooks/store/webhook-health-repository.ts';
import type { Webhooks } from '#shared/webhooks/store/webhook-repository.ts';
import type { ConcludeCall } from './conclude-attempt.ts';

interface Dependencies {
  readonly slots: DeliverySlots;
  readonly webhooks: Pick<Webhooks, 'find'>;
  readonly health: Pick<WebhookHealths, 'answering' | 'requestProbe'>;
  readonly sendEvent: SendEvent;
  readonly concludeCall: ConcludeCall;
  readonly clock: Clock;
  readonly newId: () => string;
}

/**
 * Sends a paused webhook a test, which is not stored, to see whether it still fails. If there is no slot, or the
 * message is lost, the sweep sends another message; a second message for the same probe finds that it is no longer due.
 */
export function probeWebhook(deps: Dependencies) {
  const { slots, webhooks, health, sendEvent, concludeCall, clock, newId } = deps;
  return async ({ clientId, webhookId }: ProbeMessage): Promise<void> => {
    const token = newId();
    const answering = await health.answering(webhookId);
    const acquired = await slots.acquire('retries', { clientId, webhookId }, answering, token);
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
