import * as z from 'zod/mini';
import { type EventKey, eventIdOf, eventKey, keyOfEvent } from './event-key.ts';

/** An event about a resource of a client, which its webhooks receive, as the table has it. */
export const storedEvent = z.extend(eventKey, {
  clientId: z.string(),
  /** `{process}.{resource}.{what happened}`; its first part is the process that webhooks monitor. */
  type: z.string(),
  occurredAt: z.string(),
  /** The exact bytes of every attempt: the JSON of Standard Webhooks 1.0, `{type, timestamp, data}`. */
  body: z.string(),
});

export interface ServiceEvent extends Readonly<Omit<z.infer<typeof storedEvent>, keyof EventKey>> {
  /** The `webhook-id` of every delivery of it. */
  readonly eventId: string;
}

/** An event of the table, by its id. */
export const serviceEvent = z.pipe(storedEvent, z.transform(withId));

/** What was read from the table, with the id in place of the key. @throws when it is no event's */
export function withId<Stored extends EventKey>({ subject, change, ...event }: Stored) {
  return { eventId: eventIdOf({ subject, change }), ...event };
}

/** What the table keeps of an event. @throws {RangeError} when its id is none */
export function withKey({ eventId, ...event }: ServiceEvent): z.infer<typeof storedEvent> {
  return { ...keyOfEvent(eventId), ...event };
}

/** Bytes; nothing larger becomes an event (decisions.md 7 aims at 20 kB). */
const LARGEST_BODY = 64 * 1024;

/** @throws before anything is written, when the event is larger than receivers have to accept. */
export function newServiceEvent(
  event: Pick<ServiceEvent, 'eventId' | 'clientId' | 'type' | 'occurredAt'>,
  data: Readonly<Record<string, unknown>>,
): ServiceEvent {
  const body = JSON.stringify({ type: event.type, timestamp: event.occurredAt, data });
  if (Buffer.byteLength(body) > LARGEST_BODY) {
    throw new RangeError(`The event ${event.eventId} is larger than ${LARGEST_BODY} bytes.`);
  }
  return { ...event, body };
}

/** Text before the first dot of an event's type. */
export function processOf(type: string): string {
  return type.slice(0, type.indexOf('.'));
}
