import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { processOf, type ServiceEvent } from '#shared/events/service-event.ts';
import { documentValues } from '#shared/platform/http/document.ts';
import { id, instant } from '#shared/platform/http/fields.ts';
import { type DeliveryTrigger, deliveryTrigger } from './delivery-attempt.ts';
import type { Webhook } from './webhook.ts';

const deliveryStatus = z.enum(['PENDING', 'DELIVERED', 'FAILED', 'CANCELLED']);

documentValues('DeliveryStatus', deliveryStatus, 'How far a delivery is.', {
  PENDING: 'Another attempt is to come.',
  DELIVERED: 'The endpoint answered 2xx.',
  FAILED: 'It ended without arriving.',
  CANCELLED: 'The webhook was deactivated while the delivery waited.',
});

/** Why a delivery ended without arriving. Of INTERNAL, a fault of the service, somebody is told. */
export const undeliveredReason = z.enum(['EXHAUSTED', 'ENDPOINT_GONE', 'BLOCKED', 'INTERNAL', 'WEBHOOK_INACTIVE']);

documentValues('UndeliveredReason', undeliveredReason, 'Why a delivery ended without arriving.', {
  EXHAUSTED: 'Ten attempts failed.',
  ENDPOINT_GONE: 'The endpoint answered 410, which also deactivated the webhook.',
  BLOCKED: 'The webhook points to an address that no webhook may point to.',
  INTERNAL: 'The service failed.',
  WEBHOOK_INACTIVE: 'The webhook was deactivated while the delivery waited.',
});

export type UndeliveredReason = z.infer<typeof undeliveredReason>;

/** A delivery that has been attempted so often is not asked for again: its log is read as a whole, a hundred of them in a list. */
export const MOST_LOGGED_ATTEMPTS = 50;

/** One event on its way to one webhook. */
export const delivery = z.object({
  deliveryId: z.string().check(z.regex(/^dlv_[0-9a-f]{32}$/)),
  eventId: z.string(),
  type: z.string(),
  clientId: id,
  webhookId: id,
  status: deliveryStatus,
  reason: z.optional(undeliveredReason),
  createdAt: instant,
  trigger: deliveryTrigger,
  /** When the trigger asked for it. */
  queuedAt: instant,
  /** Attempts since then: the place in the schedule of retries. */
  attemptsMade: z.int(),
  /** Attempts in all. */
  attemptsLogged: z.int(),
  /** Only while PENDING. */
  nextAttemptAt: z.optional(instant),
  /** How often the next attempt was taken on by a process that did not finish it. */
  claims: z.int(),
});

export type Delivery = Readonly<z.infer<typeof delivery>>;

/** One event is delivered to one webhook under one id, however often it is told. */
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
    attemptsLogged: 0,
    nextAttemptAt: at,
    claims: 0,
  };
}

/** Whether the next attempt is the very one that the client asked for, and no retry of it. */
export function isAskedForByHand({ trigger, attemptsMade }: Delivery): boolean {
  return trigger === 'MANUAL' && attemptsMade === 0;
}

/** Seconds over which attempts are spread that wait for the same parking to end. */
const PARKING_SPREAD = 30;

/**
 * When an attempt is to be made that waits for its webhook to be parked no more.
 *
 * @param random at least 0, below 1
 */
export function unparkedAt(parkedUntil: string, random: () => number): string {
  return new Date(Date.parse(parkedUntil) + random() * PARKING_SPREAD * 1000).toISOString();
}

/** Every active webhook hears of its process what happens from its (re)activation on (decisions.md 7, Who receives what). */
export function subscribesTo(webhook: Webhook, event: ServiceEvent): boolean {
  return webhook.status && webhook.process === processOf(event.type) && webhook.activeSince <= event.occurredAt;
}

/**
 * A delivery that waits for a webhook which is not active, or was not all the time since it was asked for, goes nowhere:
 * a reactivated webhook gets only what happens from then on.
 */
export function isCancelledBy(webhook: Webhook, delivery: Pick<Delivery, 'queuedAt'>): boolean {
  return !webhook.status || webhook.activeSince > delivery.queuedAt;
}
