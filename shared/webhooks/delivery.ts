import { createHash } from 'node:crypto';
import { processOf, type ServiceEvent } from '#shared/events/service-event.ts';
import type { Webhook } from './webhook.ts';

export const deliveryStatuses = ['PENDING', 'DELIVERED', 'FAILED', 'CANCELLED'] as const;

/** Why a delivery ended without arriving. */
export const undeliveredReasons = [
  /** Ten attempts failed. */
  'EXHAUSTED',
  /** The endpoint answered 410, which also deactivated its webhook. */
  'ENDPOINT_GONE',
  /** The webhook points where no webhook may point. */
  'BLOCKED',
  /** A fault of the service, which somebody is told of. */
  'INTERNAL',
  /** The webhook was deactivated while the delivery waited. */
  'WEBHOOK_INACTIVE',
] as const;

/** A delivery that has been attempted so often is not asked for again: its log is read as a whole, a hundred of them in a list. */
export const MOST_LOGGED_ATTEMPTS = 50;

/** What asked for an attempt: the event itself, or the client once more. */
export const deliveryTriggers = ['SCHEDULED', 'MANUAL', 'REPLAY'] as const;

export type DeliveryTrigger = (typeof deliveryTriggers)[number];
export type UndeliveredReason = (typeof undeliveredReasons)[number];

/** One event on its way to one webhook. */
export interface Delivery {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly type: string;
  readonly clientId: string;
  readonly webhookId: string;
  readonly status: (typeof deliveryStatuses)[number];
  readonly reason?: UndeliveredReason | undefined;
  readonly createdAt: string;
  readonly trigger: DeliveryTrigger;
  /** When the trigger asked for it. */
  readonly queuedAt: string;
  /** Attempts since then: the place in the schedule of retries. */
  readonly attemptsMade: number;
  /** Attempts in all. */
  readonly attemptsLogged: number;
  /** Only while PENDING. */
  readonly nextAttemptAt?: string | undefined;
  /** How often the next attempt was taken on by a process that did not finish it. */
  readonly claims: number;
}

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

/** Every active webhook hears of its process what happens from its (re)activation on (decisions.md 7, Who hears what). */
export function hears(webhook: Webhook, event: ServiceEvent): boolean {
  return webhook.status && webhook.process === processOf(event.type) && webhook.activeSince <= event.occurredAt;
}

/**
 * A delivery that waits for a webhook which is not active, or was not all the time since it was asked for, goes nowhere:
 * a reactivated webhook gets only what happens from then on.
 */
export function isCancelledBy(webhook: Webhook, delivery: Pick<Delivery, 'queuedAt'>): boolean {
  return !webhook.status || webhook.activeSince > delivery.queuedAt;
}
