import * as z from 'zod/mini';
import { documentEvent, event } from '#shared/events/event-envelope.ts';
import { newServiceEvent, type ServiceEvent } from '#shared/events/service-event.ts';
import { id } from '#shared/platform/http/fields.ts';
import type { Webhook } from '#shared/webhooks/model/webhook.ts';

/** Tests whether an endpoint accepts events: at the client's request, or while its webhook is paused. */
export const webhookTest = event('webhook.test', z.object({ webhookId: id }));

documentEvent(
  'WebhookTest',
  webhookTest,
  'A test of a webhook: its client requested it, or its deliveries are paused.',
  {
    webhookId: 'The webhook.',
  },
);

/** Returns a test event. It is not stored, and no stored event can have its id. */
export function newTestEvent({ clientId, webhookId }: Webhook, testId: string, now: Date): ServiceEvent {
  const event = { eventId: `test_${testId}`, clientId, type: 'webhook.test', occurredAt: now.toISOString() };
  return newServiceEvent(event, webhookTest.shape.data.parse({ webhookId }));
}
