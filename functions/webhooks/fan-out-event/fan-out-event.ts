import type * as z from 'zod/mini';
import type { Events } from '#shared/events/event-repository.ts';
import { mayNotify, type NotificationSources, OWN_SOURCE, type queuedEvent } from '#shared/events/notified-events.ts';
import { externalEventId, newServiceEvent, type ServiceEvent } from '#shared/events/service-event.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { inGroups } from '#shared/platform/collections.ts';
import { messageLostAt } from '#shared/platform/dynamodb/due-queue.ts';
import { log } from '#shared/platform/logger.ts';
import { nextAttemptMessage, type SendDeliveryMessage } from '#shared/webhooks/delivery/delivery-messages.ts';
import { dueAfterOpenCircuit, newDelivery, subscribesTo } from '#shared/webhooks/model/delivery.ts';
import type { Webhook } from '#shared/webhooks/model/webhook.ts';
import type { DeliveryQueue } from '#shared/webhooks/store/delivery-repository.ts';
import type { WebhookHealths } from '#shared/webhooks/store/webhook-health-repository.ts';
import type { Webhooks } from '#shared/webhooks/store/webhook-repository.ts';

interface Dependencies {
  readonly events: Pick<Events, 'find' | 'record'>;
  readonly webhooks: Pick<Webhooks, 'list'>;
  readonly deliveries: Pick<DeliveryQueue, 'create'>;
  readonly health: Pick<WebhookHealths, 'circuit'>;
  readonly sendMessage: SendDeliveryMessage;
  readonly clock: Clock;
  readonly notifying: NotificationSources;
}

type QueuedEvent = z.infer<typeof queuedEvent>;

type NotifiedEvent = Exclude<QueuedEvent, { notOurs: unknown }>;

/** Webhooks handled in parallel: a client may have a hundred. */
const AT_ONCE = 25;

/**
 * Creates one delivery of an event for every webhook that subscribes to it, and sends the message for its first
 * attempt. A repeated event creates no second delivery. The sweep sends missing messages.
 */
export function fanOutEvent(deps: Dependencies) {
  const { events, webhooks, clock, notifying } = deps;
  return async (queued: QueuedEvent): Promise<void> => {
    if ('notOurs' in queued) return reportNotOurs(queued.notOurs);
    if (!mayNotify(notifying, queued.source, queued['detail-type'])) return reportNotOurs(queued);
    const event = await findOrRecord(events, queued, clock);
    if (event === undefined) return;
    if (!isTheSame(event, queued)) {
      log.error('EVENT_ID_REUSED', { eventId: event.eventId, type: queued['detail-type'] });
      return;
    }
    const { webhooks: all, unreadableIds } = await webhooks.list(event.clientId);
    const subscribed = all.filter((webhook) => subscribesTo(webhook, event));
    const isOnly = all.length + unreadableIds.length === 1;
    for await (const group of inGroups(subscribed, AT_ONCE)) {
      await Promise.all(group.map((webhook) => deliverTo(deps, webhook, event, isOnly)));
    }
    // An unreadable webhook may be a subscriber: the event is retried, and in the end becomes a dead letter.
    if (unreadableIds.length > 0) throw new Error(`Webhooks cannot be read: ${unreadableIds.join(', ')}.`);
  };
}

/**
 * While the circuit of a webhook is open, the sweep sends the messages of new events, so that they do not fill the
 * queue of first attempts.
 */
async function deliverTo(deps: Dependencies, webhook: Webhook, event: ServiceEvent, isOnly: boolean): Promise<void> {
  const { deliveries, health, sendMessage, clock } = deps;
  const now = clock.now();
  const delivery = newDelivery(event, webhook, 'SCHEDULED', now);
  const circuit = await health.circuit(webhook);
  // The event occurred during the pause: it is sent once the endpoint answers again (decisions.md 10, Paused webhooks).
  if (circuit.pausedAt !== undefined && circuit.pausedAt <= event.occurredAt) return;
  if (circuit.state === 'OPEN') {
    const nextAttemptAt = dueAfterOpenCircuit(circuit.until, clock.random);
    await deliveries.create({ ...delivery, nextAttemptAt }, nextAttemptAt, now);
    return;
  }
  if (!(await deliveries.create(delivery, messageLostAt(now), now))) return;
  await sendMessage({ ...nextAttemptMessage(delivery), ...(isOnly && { isOnly }) }, 0);
}

/** Reports an event that clients do not get: its publisher misuses this service's name, or is not in the settings. */
function reportNotOurs({ source, 'detail-type': type }: Pick<NotifiedEvent, 'source' | 'detail-type'>): void {
  log.error('EVENT_NOT_OURS', { source, type });
}

/**
 * This service's own events are already in the table; an event of another service is stored when it is first received.
 *
 * @throws when an own event is missing: the message is retried, in case the stream was faster than this read
 */
async function findOrRecord(
  events: Dependencies['events'],
  queued: NotifiedEvent,
  clock: Clock,
): Promise<ServiceEvent | undefined> {
  const { source, 'detail-type': type, detail } = queued;
  const { clientId, eventId: given, occurredAt, ...data } = detail;
  const eventId = source === OWN_SOURCE ? given : externalEventId(source, given);
  const known = await events.find(eventId);
  if (known !== undefined) return known;
  if (source === OWN_SOURCE) throw new Error('An event in the name of this service is not in its table.');
  const event = eventOrReport({ eventId, clientId, type, occurredAt: new Date(occurredAt).toISOString() }, data);
  if (event === undefined) return;
  return (await events.record(event, clock)) ? event : findOrRecord(events, queued, clock);
}

/** An event that is too large never becomes deliverable. */
function eventOrReport(...[event, data]: Parameters<typeof newServiceEvent>): ServiceEvent | undefined {
  try {
    return newServiceEvent(event, data);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    log.error('EVENT_TOO_LARGE', { eventId: event.eventId, type: event.type });
    return;
  }
}

/** False if a service reused the id for a different event, which must not count as a repeat of the stored one. */
function isTheSame(kept: ServiceEvent, { 'detail-type': type, detail }: NotifiedEvent): boolean {
  const isOf = Date.parse(kept.occurredAt) === Date.parse(detail.occurredAt);
  return isOf && kept.clientId === detail.clientId && kept.type === type;
}
