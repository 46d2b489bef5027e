import * as z from 'zod/mini';
import { clientErrors } from '#shared/clients/client-errors.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { contract } from '#shared/platform/http/contract.ts';
import { documentObject } from '#shared/platform/http/document.ts';
import { instant, instantInput, noBody, noParameters, noQuery, pageLimit } from '#shared/platform/http/fields.ts';
import { webhookErrors } from '#shared/webhooks/contract/webhook-errors.ts';
import { type Delivery, delivery, deliveryAttempt, isCancelledBy } from '#shared/webhooks/model/delivery.ts';
import type { Webhook } from '#shared/webhooks/model/webhook.ts';
import { type Circuit, withDueTime } from '#shared/webhooks/model/webhook-health.ts';
import { WEBHOOK_PATH, webhookPathParameters } from './webhook-contract.ts';

/** An event on its way to a webhook, as its client sees it (decisions.md 7, Delivery log). */
export const deliveryAnswer = z.object({
  id: delivery.shape.deliveryId,
  ...z.pick(delivery, { eventId: true, type: true, status: true, reason: true, createdAt: true, nextAttemptAt: true })
    .shape,
  attempts: z.array(deliveryAttempt),
});

documentObject('Delivery', deliveryAnswer, 'An event on its way to a webhook.', {
  id: 'Id of the delivery.',
  eventId: {
    description: 'Id of the event: the `webhook-id` of every attempt.',
    pattern: '^[A-Za-z0-9_-]{1,128}$',
  },
  type: {
    description: 'Type of the event, for example `ramp.operation.status_changed`.',
    pattern: '^(ramp|compliance|wallet_transfer)(\\.[A-Za-z0-9_-]+)+$',
  },
  status: 'Status of the delivery.',
  reason: 'Why it ended without arriving. Only if it is FAILED or CANCELLED.',
  createdAt: 'When the delivery was created.',
  nextAttemptAt:
    'When the next attempt is due, never before the `parkedUntil` of its webhook. Only while it is PENDING.',
  attempts: 'The attempts, in the order in which they were made.',
});

const deliveriesPath = `${WEBHOOK_PATH}/deliveries` as const;

export const listDeliveriesContract = contract({
  name: 'list-deliveries',
  method: 'GET',
  path: deliveriesPath,
  summary: "List a webhook's deliveries with their attempts, newest first",
  access: 'client',
  pathParameters: webhookPathParameters,
  unknownPath: apiErrors.FORBIDDEN,
  query: z.strictObject({ limit: pageLimit, cursor: z.optional(z.string()) }),
  body: noBody,
  success: { status: 200, body: z.object({ deliveries: z.array(deliveryAnswer), nextCursor: z.optional(z.string()) }) },
  errors: [apiErrors.UNAUTHORIZED, apiErrors.FORBIDDEN, webhookErrors.WEBHOOK_NOT_FOUND, apiErrors.VALIDATION_FAILED],
});

documentObject('DeliveryPage', listDeliveriesContract.success.body, "A page of a webhook's deliveries.", {
  deliveries: 'The deliveries of this page, newest first.',
  nextCursor: 'Opaque. Send it as `cursor` to get the next page; absent on the last one.',
});

const ofDelivery = z.extend(webhookPathParameters, { delivery_id: z.string() });

/** A delivery with the body that was sent (decisions.md 14, Delivery bodies). */
const deliveryWithBody = z.extend(deliveryAnswer, { body: z.string() });

documentObject(
  'DeliveryWithBody',
  deliveryWithBody,
  'An event on its way to a webhook, with the body of its calls.',
  { body: 'The text that every attempt sends, to the byte: what its signature is about.' },
  deliveryAnswer,
);

export const getDeliveryContract = contract({
  name: 'get-delivery',
  method: 'GET',
  path: `${deliveriesPath}/{delivery_id}`,
  summary: "Read a webhook's delivery with its attempts and the body that was sent",
  access: 'client',
  pathParameters: ofDelivery,
  unknownPath: apiErrors.FORBIDDEN,
  query: noParameters,
  body: noBody,
  success: { status: 200, body: deliveryWithBody },
  errors: [
    apiErrors.UNAUTHORIZED,
    apiErrors.FORBIDDEN,
    webhookErrors.WEBHOOK_NOT_FOUND,
    webhookErrors.DELIVERY_NOT_FOUND,
    apiErrors.VALIDATION_FAILED,
  ],
});

export const resendDeliveryContract = contract({
  name: 'resend-delivery',
  method: 'POST',
  path: `${deliveriesPath}/{delivery_id}/resend`,
  summary: 'Send an event to a webhook again, whether it arrived or not',
  access: 'approved-client',
  pathParameters: ofDelivery,
  unknownPath: apiErrors.FORBIDDEN,
  query: noQuery,
  body: noBody,
  idempotent: true,
  success: { status: 202, body: deliveryAnswer },
  errors: [
    apiErrors.UNAUTHORIZED,
    clientErrors.CLIENT_NOT_APPROVED,
    apiErrors.FORBIDDEN,
    webhookErrors.WEBHOOK_NOT_FOUND,
    webhookErrors.DELIVERY_NOT_FOUND,
    webhookErrors.WEBHOOK_INACTIVE,
    webhookErrors.TOO_MANY_ATTEMPTS,
    apiErrors.IDEMPOTENCY_IN_PROGRESS,
    apiErrors.VALIDATION_FAILED,
    apiErrors.IDEMPOTENCY_KEY_REUSED,
    apiErrors.SERVICE_UNAVAILABLE,
  ],
});

export const replayEventsContract = contract({
  name: 'replay-events',
  method: 'POST',
  path: `${WEBHOOK_PATH}/replay`,
  summary: 'Send a webhook every event of its process since a time again, whether it arrived or not',
  access: 'approved-client',
  pathParameters: webhookPathParameters,
  unknownPath: apiErrors.FORBIDDEN,
  query: noQuery,
  body: z.object({ since: instantInput }),
  success: { status: 202, body: z.object({ since: instant }) },
  errors: [
    apiErrors.MALFORMED_JSON,
    apiErrors.UNAUTHORIZED,
    clientErrors.CLIENT_NOT_APPROVED,
    apiErrors.FORBIDDEN,
    webhookErrors.WEBHOOK_NOT_FOUND,
    webhookErrors.WEBHOOK_INACTIVE,
    apiErrors.PAYLOAD_TOO_LARGE,
    apiErrors.UNSUPPORTED_MEDIA_TYPE,
    apiErrors.VALIDATION_FAILED,
  ],
});

documentObject('ReplayRequest', replayEventsContract.body, 'The time from which events are sent again.', {
  since: 'A time at most 14 days ago and not in the future, by RFC 3339 with an offset.',
});

documentObject('Replay', replayEventsContract.success.body, 'A replay that was accepted.', {
  since: 'The time from which events are sent again, in UTC.',
});

/** The result of a test call. Unlike the attempts of a delivery, it is not stored. */
export const webhookTestAnswer = z.object({
  delivered: z.boolean(),
  ...z.pick(deliveryAttempt, { statusCode: true, error: true, durationMs: true }).shape,
});

documentObject(
  'WebhookTestResult',
  webhookTestAnswer,
  'The result of a test event.',
  { delivered: 'Whether the endpoint answered 2xx.' },
  deliveryAttempt,
);

export const testWebhookContract = contract({
  name: 'test-webhook',
  method: 'POST',
  path: `${WEBHOOK_PATH}/test`,
  summary: 'Send a webhook a test event now, and return the result',
  access: 'approved-client',
  pathParameters: webhookPathParameters,
  unknownPath: apiErrors.FORBIDDEN,
  query: noQuery,
  body: noBody,
  success: { status: 200, body: webhookTestAnswer },
  errors: [
    apiErrors.UNAUTHORIZED,
    clientErrors.CLIENT_NOT_APPROVED,
    apiErrors.FORBIDDEN,
    webhookErrors.WEBHOOK_NOT_FOUND,
    webhookErrors.WEBHOOK_INACTIVE,
    apiErrors.SERVICE_UNAVAILABLE,
  ],
});

type DeliveryAnswer = z.infer<typeof deliveryAnswer>;

/**
 * A delivery as its client sees it: only the fields of the answer. A waiting delivery that its webhook cancels is shown
 * as cancelled at once; it is written as cancelled only when it is due.
 *
 * @param circuit the webhook's circuit; omitted where it cannot be open
 */
export function describeDelivery(delivery: Delivery, webhook: Webhook, circuit?: Circuit): DeliveryAnswer {
  const isCancelled = delivery.status === 'PENDING' && isCancelledBy(webhook, delivery);
  return deliveryAnswer.parse({
    ...(isCancelled ? asCancelled(delivery) : withDueTime(delivery, circuit)),
    id: delivery.deliveryId,
  } satisfies DeliveryAnswer);
}

function asCancelled({ nextAttemptAt: _, ...delivery }: Delivery): Delivery {
  return { ...delivery, status: 'CANCELLED', reason: 'WEBHOOK_INACTIVE' };
}
