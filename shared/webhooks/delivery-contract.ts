import * as z from 'zod/mini';
import { documentObject, documentValues } from '#shared/platform/http/document.ts';
import { instant } from '#shared/platform/http/fields.ts';
import { deliveryStatuses, deliveryTriggers, undeliveredReasons } from './delivery.ts';
import { callErrors } from './delivery-outcome.ts';
import { webhookPath } from './webhook-contract.ts';

export const deliveriesPath = `${webhookPath}/deliveries` as const;

/** Anything else is no delivery's id, and not to be looked for. */
export const deliveryId = z.string().check(z.regex(/^dlv_[0-9a-f]{32}$/));

const deliveryTrigger = z.enum(deliveryTriggers);

documentValues('DeliveryTrigger', deliveryTrigger, 'What an attempt was made for.', {
  SCHEDULED: 'The event itself, or a retry.',
  MANUAL: 'The client asked to resend the delivery.',
  REPLAY: 'The client asked for a replay.',
});

const callError = z.enum(callErrors);

documentValues('CallError', callError, 'Why a call got no answer.', {
  DNS: 'The name could not be resolved.',
  CONNECT: 'No connection could be made, or it broke.',
  TLS: 'The certificate was not accepted, or no secure connection could be agreed on.',
  TIMEOUT: 'The endpoint did not answer in time.',
  BLOCKED: 'The address is one that no webhook may point to.',
});

const deliveryStatus = z.enum(deliveryStatuses);

documentValues('DeliveryStatus', deliveryStatus, 'How far a delivery is.', {
  PENDING: 'Another attempt is to come.',
  DELIVERED: 'The endpoint answered 2xx.',
  FAILED: 'It ended without arriving.',
  CANCELLED: 'The webhook was deactivated while the delivery waited.',
});

const undeliveredReason = z.enum(undeliveredReasons);

documentValues('UndeliveredReason', undeliveredReason, 'Why a delivery ended without arriving.', {
  EXHAUSTED: 'Ten attempts failed.',
  ENDPOINT_GONE: 'The endpoint answered 410, which also deactivated the webhook.',
  BLOCKED: 'The webhook points to an address that no webhook may point to.',
  INTERNAL: 'The service failed.',
  WEBHOOK_INACTIVE: 'The webhook was deactivated while the delivery waited.',
});

/** What came of a call of an endpoint: a status, or else an error. */
export const callResult = { statusCode: z.optional(z.int()), error: z.optional(callError), durationMs: z.int() };

const attempt = z.object({ at: instant, trigger: deliveryTrigger, ...callResult });

documentObject('DeliveryAttempt', attempt, 'One call of the endpoint.', {
  at: 'When the call began.',
  trigger: 'What the attempt was made for.',
  statusCode: {
    description: 'The HTTP status that the endpoint answered. Absent when there was no answer.',
    minimum: 100,
    maximum: 999,
  },
  error: 'Why there was no answer. Absent when there was one.',
  durationMs: { description: 'How long the call took, in milliseconds.', minimum: 0 },
});

/** An event on its way to a webhook, as its client sees it (decisions.md 7, Delivery log). */
export const delivery = z.object({
  id: deliveryId,
  eventId: z.string(),
  type: z.string(),
  status: deliveryStatus,
  reason: z.optional(undeliveredReason),
  createdAt: instant,
  nextAttemptAt: z.optional(instant),
  attempts: z.array(attempt),
});

documentObject('Delivery', delivery, 'An event on its way to a webhook.', {
  id: 'Id of the delivery.',
  eventId: {
    description: 'Id of the event: the `webhook-id` of every attempt.',
    pattern: '^[A-Za-z0-9_-]{1,128}$',
  },
  type: {
    description: 'Type of the event, for example `ramp.operation.status_changed`.',
    pattern: '^(ramp|compliance|wallet_transfer)(\\.[A-Za-z0-9_-]+)+$',
  },
  status: 'How far the delivery is.',
  reason: 'Why it ended without arriving. Only when it is FAILED or CANCELLED.',
  createdAt: 'When the delivery was created.',
  nextAttemptAt: 'When the next attempt is due. Only while it is PENDING.',
  attempts: 'The attempts, in the order in which they were made.',
});
