import * as z from 'zod/mini';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { lookup } from '#shared/platform/http/command.ts';
import { id, instant } from '#shared/platform/http/fields.ts';
import { changeLine } from '#shared/platform/operators/audit-records.ts';
import { listLookup, waitingFields } from '#shared/platform/operators/lists.ts';
import { nextStepBy } from '#shared/platform/operators/next-step.ts';
import { type Delivery, delivery, deliveryAttempt } from '#shared/webhooks/model/delivery.ts';
import { webhook } from '#shared/webhooks/model/webhook.ts';
import { webhookErrors } from './webhook-errors.ts';

/** The next step for a failing endpoint is the CLIENT's: no operator can repair it. */
const nextStep = nextStepBy(['CLIENT', 'FINANCE', 'SERVICE', 'NOBODY']);

export type NextStep = Readonly<z.infer<typeof nextStep>>;

/** A webhook with the state of its calls, without its secrets. */
export const lookedUpWebhook = z.object({
  ...z.pick(webhook, { webhookId: true, process: true }).shape,
  isActive: z.boolean(),
  ...z.pick(webhook, { statusReason: true, deactivatedAt: true }).shape,
  /** Only the host of the address: the rest may contain a secret of the client. */
  host: z.string(),
  ...z.pick(webhook, { method: true, createdAt: true }).shape,
  /** Failures in a row, up to the latest call. */
  failures: z.int(),
  failingSince: z.optional(instant),
  /** Result of the latest call: a status, or why there was no answer. Absent after a success. */
  lastError: z.optional(z.string()),
  /** Nothing is sent until this time, because the endpoint has failed. */
  parkedUntil: z.optional(instant),
  /** Events since this time have no delivery yet; they are sent once the endpoint answers. */
  deliveriesPausedAt: z.optional(instant),
});

export const listWebhooksContract = lookup({
  name: 'webhooks',
  summary: 'All webhooks of a client, active and inactive, the oldest first, and how their calls go.',
  query: z.object({ clientId: id }),
  answer: z.object({
    items: z.array(lookedUpWebhook),
    /** Ids of unreadable items. */
    unreadableIds: z.optional(z.array(z.string())),
  }),
  errors: [apiErrors.NOT_FOUND, apiErrors.SERVICE_UNAVAILABLE],
});

export const readWebhookContract = lookup({
  name: 'webhook',
  summary: 'A webhook: where it is, how its calls go, and who changed it.',
  query: z.object({ clientId: id, webhookId: id }),
  answer: z.object({
    clientId: id,
    ...lookedUpWebhook.shape,
    ...z.pick(webhook, { userId: true, activeSince: true }).shape,
    /** Changes by operators. */
    changes: z.array(changeLine),
  }),
  errors: [webhookErrors.WEBHOOK_NOT_FOUND, apiErrors.SERVICE_UNAVAILABLE],
});

/** The progress of a delivery. */
export const lookedUpDelivery = z.object({
  ...z.pick(delivery, { deliveryId: true, eventId: true, webhookId: true, status: true, reason: true }).shape,
  attemptsLogged: z.int(),
  /** How the latest attempt ended: a status, or why there was no answer. */
  lastResult: z.optional(z.string()),
  nextAttemptAt: delivery.shape.nextAttemptAt,
});

export function lookedUp(delivery: Delivery): z.infer<typeof lookedUpDelivery> {
  const { attempts } = delivery;
  const { statusCode, error } = attempts.at(-1) ?? {};
  const lastResult = error ?? statusCode?.toString();
  return lookedUpDelivery.parse({ ...delivery, attemptsLogged: attempts.length, lastResult });
}

const calledWebhook = z.object({
  /** Only the host of the address: the rest may contain a secret of the client. */
  host: z.string(),
  isActive: z.boolean(),
  ...z.pick(webhook, { statusReason: true, process: true }).shape,
  /** Nothing is sent until this time, because the endpoint has failed. */
  circuitOpenUntil: z.optional(instant),
  /** The webhook's latest call for any delivery: a status, or why there was no answer. Absent after a success. */
  lastError: z.optional(z.string()),
});

export const readDeliveryContract = lookup({
  name: 'delivery',
  summary: 'An event on its way to a webhook: its attempts, what happens next and who does it.',
  query: z.object({ delivery: delivery.shape.deliveryId }),
  answer: z.object({
    next: nextStep,
    ...lookedUpDelivery.shape,
    ...z.pick(delivery, { type: true, clientId: true, createdAt: true, trigger: true }).shape,
    /** Absent if the webhook was removed. */
    webhook: z.optional(calledWebhook),
    attempts: z.array(deliveryAttempt),
    /** Changes by operators. */
    changes: z.array(changeLine),
  }),
  errors: [webhookErrors.DELIVERY_NOT_FOUND],
});

export const listFailingWebhooksContract = listLookup(
  'failing-webhooks',
  'Webhooks whose endpoint has failed at least five times in a row, oldest first.',
  z.object({
    ...z.pick(webhook, { webhookId: true, clientId: true, statusReason: true }).shape,
    isActive: z.boolean(),
    /** Only the host of the address: the rest may contain a secret of the client. */
    host: z.string(),
    failures: z.int(),
    /** Result of the latest call: a status, or why there was no answer. */
    lastError: z.optional(z.string()),
    /** How many of the webhook's newest hundred deliveries wait for their first attempt. */
    neverAttempted: z.int(),
    ...waitingFields(nextStep),
  }),
);
