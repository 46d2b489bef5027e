import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { processOf, type ServiceEvent } from '#shared/events/service-event.ts';
import { expiry } from '#shared/platform/clock.ts';
import { documentObject, documentValues } from '#shared/platform/http/document.ts';
import { id, instant } from '#shared/platform/http/fields.ts';
import type { Webhook } from './webhook.ts';

/** What caused an attempt: the event itself, or a request to send it again. */
const deliveryTrigger = z.enum(['SCHEDULED', 'MANUAL', 'REPLAY']);

documentValues('DeliveryTrigger', deliveryTrigger, 'The cause of an attempt and of its retries.', {
  SCHEDULED: 'The event itself.',
  MANUAL: 'A resend that the client or an operator requested.',
  REPLAY: 'A replay that the client or an operator requested, or that followed a pause of the deliveries.',
});

export type DeliveryTrigger = z.infer<typeof deliveryTrigger>;

/** Why a call got no answer: the phase in which it failed, or a refusal by the SSRF guard. */
export const callError = z.enum(['DNS', 'CONNECT', 'TLS', 'TIMEOUT', 'BLOCKED']);

documentValues('CallError', callError, 'Why a call got no answer.', {
  DNS: 'The name could not be resolved.',
  CONNECT: 'No connection could be made, or it broke.',
  TLS: 'The certificate was not accepted, or no secure connection could be agreed on.',
  TIMEOUT: 'The endpoint did not answer in time.',
  BLOCKED: 'The address is one that no webhook may point to.',
});

export type CallError = z.infer<typeof callError>;

/** How a call ended. */
export type CallEnd =
  | { readonly statusCode: number; readonly error?: undefined }
  | { readonly error: CallError; readonly statusCode?: undefined };

/** One call of an endpoint, as its client sees it: a status, or else an error. */
export const deliveryAttempt = z.object({
  /** When it began; the receiver gets the same instant as `webhook-timestamp`. */
  at: instant,
  trigger: deliveryTrigger,
  statusCode: z.optional(z.int()),
  error: z.optional(callError),
  durationMs: z.int(),
});

export type DeliveryAttempt = Readonly<z.infer<typeof deliveryAttempt>>;

documentObject('DeliveryAttempt', deliveryAttempt, 'One call of the endpoint.', {
  at: 'When the call began.',
  trigger: 'The cause of the attempt.',
  statusCode: {
    description: 'The HTTP status that the endpoint answered. Absent when there was no answer.',
    minimum: 100,
    maximum: 999,
  },
  error: 'Why there was no answer. Absent when there was one.',
  durationMs: { description: 'How long the call took, in milliseconds.', minimum: 0 },
});

const deliveryStatus = z.enum(['PENDING', 'DELIVERED', 'FAILED', 'CANCELLED']);

documentValues('DeliveryStatus', deliveryStatus, 'Status of a delivery.', {
  PENDING: 'Another attempt is to come.',
  DELIVERED: 'The endpoint answered 2xx.',
  FAILED: 'It ended without arriving.',
  CANCELLED: 'The webhook was deactivated while the delivery waited.',
});

/** Why a delivery ended without arriving. INTERNAL is a fault of the service, and raises an alarm. */
export const undeliveredReason = z.enum(['EXHAUSTED', 'ENDPOINT_GONE', 'BLOCKED', 'INTERNAL', 'WEBHOOK_INACTIVE']);

documentValues('UndeliveredReason', undeliveredReason, 'Why a delivery ended without arriving.', {
  EXHAUSTED: 'Ten attempts failed.',
  ENDPOINT_GONE: 'The endpoint answered 410, which also deactivated the webhook.',
  BLOCKED: 'The webhook points to an address that no webhook may point to.',
  INTERNAL: 'The service failed.',
  WEBHOOK_INACTIVE: 'The webhook was deactivated while the delivery waited.',
});

export type UndeliveredReason = z.infer<typeof undeliveredReason>;

/**
 * Attempts after which a delivery cannot be requested again: its item contains all of them, and a list has up to a
 * hundred deliveries.
 */
export const MOST_LOGGED_ATTEMPTS = 50;

/** One event on its way to one webhook. */
export const delivery = z.object({
  deliveryId: z.string().check(z.regex(/^dlv_[0-9a-f]{32}$/, 'must be dlv_ and 32 hexadecimal digits')),
  eventId: z.string(),
  type: z.string(),
  clientId: id,
  webhookId: id,
  status: deliveryStatus,
  reason: z.optional(undeliveredReason),
  createdAt: instant,
  trigger: deliveryTrigger,
  /** When the trigger requested the delivery. */
  queuedAt: instant,
  /** Attempts since `queuedAt`: the position in the retry schedule. */
  attemptsMade: z.int(),
  /** All attempts, in the order in which they were made. */
  attempts: z.array(deliveryAttempt),
  /** Only while PENDING. */
  nextAttemptAt: z.optional(instant),
  /** True if a fault of the service delayed the next attempt, and nothing else has delayed it since. */
  isPutOff: z.optional(z.literal(true)),
  /** How often a process claimed the next attempt and did not finish it. */
  claims: z.int(),
});

export type Delivery = Readonly<z.infer<typeof delivery>>;

/** Derives the id from the event and the webhook, so that an event published twice has one delivery per webhook. */
export function deliveryIdOf(eventId: string, webhookId: string): string {
  const digest = createHash('sha256').update(`${eventId}/${webhookId}`).digest('hex');
  return `dlv_${digest.slice(0, 32)}`;
}

export function newDelivery(event: ServiceEvent, webhook: Webhook, trigger: DeliveryTrigger, now: Date): Delivery {
  const at = now.toISOString();
  return {
    deliveryId: deliveryIdOf(event.eventId, webhook.webhookId),
    eventId: event.eventId,
    type: event.type,
    clientId: event.clientId,
    webhookId: webhook.webhookId,
    status: 'PENDING',
    createdAt: at,
    trigger,
    queuedAt: at,
    attemptsMade: 0,
    attempts: [],
    nextAttemptAt: at,
    claims: 0,
  };
}

/** Whether the next attempt is the one that the client asked for, not a retry of it. */
export function isManualAttempt({ trigger, attemptsMade }: Delivery): boolean {
  return trigger === 'MANUAL' && attemptsMade === 0;
}

/** Seconds over which the attempts that wait for the same circuit are spread. */
const REOPENING_SPREAD = 30;

/**
 * Returns when an attempt that waits for an open circuit is due.
 *
 * @param random at least 0, below 1
 */
export function dueAfterOpenCircuit(openUntil: string, random: () => number): string {
  return new Date(Date.parse(openUntil) + random() * REOPENING_SPREAD * 1000).toISOString();
}

/**
 * An active webhook receives every event of its process from its (re)activation on (decisions.md 7, Who receives what).
 */
export function subscribesTo(webhook: Webhook, event: ServiceEvent): boolean {
  return webhook.status && webhook.process === processOf(event.type) && webhook.activeSince <= event.occurredAt;
}

/**
 * Whether the webhook cancels a waiting delivery: it is inactive, or was inactive since the delivery was requested. A
 * reactivated webhook receives only events from then on.
 */
export function isCancelledBy(webhook: Webhook, delivery: Pick<Delivery, 'queuedAt'>): boolean {
  return !webhook.status || webhook.activeSince > delivery.queuedAt;
}

/** Days for which a delivery can be read and sent again. */
const DELIVERY_DAYS = 90;

/** Days that a replay may reach back: it creates deliveries of events up to this age. */
export const REPLAY_DAYS = 14;

/** Days for which a webhook's health is kept: longer than the webhook may fail before it is deactivated. */
const HEALTH_DAYS = 30;

/** When a delivery expires, with its attempts. */
export function deliveryExpiry(now: Date): number {
  return expiry(now, DELIVERY_DAYS);
}

/** When a webhook's health expires. Removing the webhook leaves its health in the table. */
export function healthExpiry(now: Date): number {
  return expiry(now, HEALTH_DAYS);
}

/** Whether an item must be written again so that it does not expire: it is used often but seldom written. */
export function isSoonExpired(expiresAt: number, now: Date): boolean {
  return expiresAt < expiry(now, HEALTH_DAYS / 2);
}
