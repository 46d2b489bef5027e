import * as z from 'zod/mini';
import { documentEvent } from '#shared/events/document-event.ts';
import { event } from '#shared/events/event-envelope.ts';
import { id } from '#shared/platform/http/fields.ts';

/** Sent on the client's own request, to see that its endpoint takes what it is sent. */
export const webhookTest = event('webhook.test', z.object({ webhookId: id }));

documentEvent('WebhookTest', webhookTest, 'The client asked for a test of its webhook.', {
  webhookId: 'The webhook.',
});
