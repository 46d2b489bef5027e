import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import { textIn } from '../bodies.ts';
import { has, instant, text } from '../items.ts';
import { LONGEST_CALL } from '../longest-call.ts';
import { must } from '../violation.ts';
import type { WrittenEvent } from '../written-event.ts';
import { type Aftermath, LATE } from './aftermath.ts';

/** Every event reached the bus, and each webhook that subscribes to it. */
export function checkEventEnds({ ledger, remains, now, skew }: Aftermath): void {
  for (const [id, event] of ledger.unpublished) {
    must('every event is on the bus', instant(event, 'occurredAt') >= now - LATE, {
      id,
      occurredAt: text(event, 'occurredAt'),
    });
  }
  const listed = new Set(remains.undelivered.map((body) => textIn(body, 'detail', 'eventId')));
  const webhooks = Map.groupBy(ledger.webhooks, ([, webhook]) => text(webhook, 'clientId'));
  for (const event of ledger.events.values()) {
    if (Date.parse(event.occurredAt) >= now - LATE || listed.has(event.eventId)) continue;
    for (const [webhookId, webhook] of webhooks.get(event.clientId) ?? []) {
      const isDelivered = ledger.deliveryOf.has(`${event.eventId} ${webhookId}`);
      const isAwaited = subscribes(webhook, event, skew) && !isMissed(ledger.health.get(webhookId), event, skew);
      must('every event goes to each webhook that subscribes to it', isDelivered || !isAwaited, {
        eventId: event.eventId,
        webhookId,
      });
    }
  }
}

/** True if the webhook exists and has been active since before the event, by any clock. */
function subscribes(webhook: Item, { type, occurredAt }: WrittenEvent, skew: number): boolean {
  const isActive =
    webhook['status']?.BOOL === true && instant(webhook, 'activeSince') + LONGEST_CALL + skew <= Date.parse(occurredAt);
  return isActive && type.startsWith(`${text(webhook, 'process')}.`);
}

/** Milliseconds for which a circuit is open before its webhook gets no new deliveries (decisions.md 10). */
const PAUSED_AFTER = 24 * 3600_000;

/** True if the event happened in a pause that still lasts, or whose missed events have not been sent yet. */
function isMissed(health: Item | undefined, { occurredAt }: WrittenEvent, skew: number): boolean {
  const since = health?.['missed']?.M?.['since']?.S;
  const pauses = [
    ...(has(health, 'openSince') ? [instant(health, 'openSince') + PAUSED_AFTER] : []),
    ...(since === undefined ? [] : [Date.parse(since)]),
  ];
  return pauses.some((begins) => begins - skew <= Date.parse(occurredAt));
}
