import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { uuidOf } from '#shared/platform/ids.ts';

/*
 * The key of an event in the table, and the id by which webhooks, the bus and deliveries know it. The id encodes the
 * key: so it finds its event in one read, is the same on every attempt, and belongs to one event only.
 */

/**
 * The key of an event of this service is its subject, such as `operation#{id}`, and its change, `{type}#{deposit id, if
 * any}#{sequence}`. An event of another service is kept under its source and the id that the source gave, so its id
 * never equals an id of ours or of another source.
 */
export const eventKey = z.object({ subject: z.string(), change: z.string() });

export type EventKey = Readonly<z.infer<typeof eventKey>>;

/** The kinds of subjects of our own events. Ids encode a kind as its position in this list. */
const kinds = ['operation', 'payin', 'client'] as const;

const OWN_SUBJECT = /^(operation|payin|client)#([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
const OWN_CHANGE = /^([a-z_]+(?:\.[a-z_]+)+)#([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|)#(\d{10})$/;

/** Digits of a sequence in a key, so that keys sort by sequence. */
const DIGITS = 10;

const OTHER_SUBJECT = /^other#([\w-]{21}[AQgw])#([\w-]{1,100})$/;
const OTHER_CHANGE = 'EVENT';

/** The subject of the events about an off-ramp and its deposits, a pay-in or a client. */
export function eventSubject(kind: (typeof kinds)[number], id: string): string {
  return `${kind}#${id}`;
}

/** The key of an event of this service. A change has one event of a type, and the sequence identifies the change. */
export function changeKey(subject: string, type: string, depositId: string | undefined, sequence: number): EventKey {
  return { subject, change: `${type}#${depositId ?? ''}#${String(sequence).padStart(DIGITS, '0')}` };
}

/** The parts of the `change` of such a key; `undefined` for an event of another service. */
export function parseChange(change: string) {
  const [, type, depositId, sequence] = OWN_CHANGE.exec(change) ?? [];
  return type === undefined || depositId === undefined ? undefined : { type, depositId, sequence: Number(sequence) };
}

/**
 * The id of an event that another service put on the bus. @param given its own id: up to 100 characters of
 * `[A-Za-z0-9_-]`
 */
export function externalEventId(source: string, given: string): string {
  const tag = createHash('sha256').update(source).digest().subarray(0, 16).toString('base64url');
  return eventIdOf({ subject: `other#${tag}#${given}`, change: OTHER_CHANGE });
}

/** @throws {RangeError} when no event has this key */
export function eventIdOf(key: EventKey): string {
  const eventId = coded(key);
  if (eventId === undefined) throw new RangeError(`No event has the key ${key.subject} ${key.change}.`);
  return eventId;
}

/** Characters of the longest id: a caller may make up a longer one, whose key DynamoDB would reject. */
const LONGEST_ID = 128;

/** The key of the event with this id; `undefined` for a text that is not an id, or not in its canonical spelling. */
export function parseEventId(eventId: string): EventKey | undefined {
  if (eventId.length > LONGEST_ID) return undefined;
  const key = eventId.startsWith(OTHER) ? otherKey(eventId) : ownKey(eventId);
  return key !== undefined && coded(key) === eventId ? key : undefined;
}

/** Like `parseEventId`, for the id of an event that exists or is about to. @throws {RangeError} when it is not an id */
export function requireEventKey(eventId: string): EventKey {
  const key = parseEventId(eventId);
  if (key === undefined) throw new RangeError(`${eventId} is not the id of an event.`);
  return key;
}

/**
 * The place of an event among those of its client, written once, when the bus has accepted it. Events that are accepted
 * later come after it.
 *
 * @param at the time right before the write of the place
 */
export function eventPlace(eventId: string, at: Date): string {
  const { change } = requireEventKey(eventId);
  const sequence = change === OTHER_CHANGE ? '0'.repeat(DIGITS) : change.slice(-DIGITS);
  return `${positionAtTime(at)}#${sequence}#${eventId}`;
}

/** A position before all places that are written at that time or later. */
export function positionAtTime(at: Date): string {
  return String(at.getTime()).padStart(13, '0');
}

/** Prefixes of our own ids and of the ids of other services, and the length of the source in the latter. */
const [OWN, OTHER, SOURCE] = ['evt_', 'ext_', 22];

/** True if the id belongs to an event of this service, and not of another one. */
export function isOwnEvent(eventId: string): boolean {
  return eventId.startsWith(OWN);
}

/**
 * Encodes a key as an id: `evt_` and the Base64 of kind, sequence, id, deposit if any, and type; for another service,
 * `ext_`, its source and the id that it gave. `undefined` for a key that no event has.
 */
function coded({ subject, change }: EventKey): string | undefined {
  const [, tag, given] = OTHER_SUBJECT.exec(subject) ?? [];
  if (given !== undefined) return change === OTHER_CHANGE ? `${OTHER}${tag}_${given}` : undefined;
  const [, , id] = OWN_SUBJECT.exec(subject) ?? [];
  const parts = parseChange(change);
  if (id === undefined || parts === undefined || parts.sequence === 0) return undefined;
  const { type, depositId, sequence } = parts;
  const head = Buffer.alloc(1 + 4);
  const kind = kinds.findIndex((one) => subject.startsWith(`${one}#`));
  head.writeUInt8(kind * 2 + (depositId === '' ? 0 : 1));
  head.writeUInt32BE(sequence, 1);
  const ids = Buffer.from(`${id}${depositId}`.replaceAll('-', ''), 'hex');
  return `${OWN}${Buffer.concat([head, ids, Buffer.from(type)]).toString('base64url')}`;
}

function otherKey(eventId: string): EventKey {
  const end = OTHER.length + SOURCE;
  return { subject: `other#${eventId.slice(OTHER.length, end)}#${eventId.slice(end + 1)}`, change: OTHER_CHANGE };
}

function ownKey(eventId: string): EventKey | undefined {
  const bytes = Buffer.from(eventId.slice(OWN.length), 'base64url');
  if (bytes.length < 1 + 4) return undefined;
  const [first, sequence] = [bytes.readUInt8(), bytes.readUInt32BE(1)];
  const [kind, hasDeposit] = [kinds[first >> 1], first % 2 === 1];
  const [id, rest] = [uuidIn(bytes, 5), hasDeposit ? 37 : 21];
  const type = bytes.subarray(rest).toString('latin1');
  return kind && changeKey(eventSubject(kind, id), type, hasDeposit ? uuidIn(bytes, 21) : undefined, sequence);
}

function uuidIn(bytes: Buffer, start: number): string {
  return uuidOf(bytes.subarray(start, start + 16));
}

/** An event about a resource of a client, as the table stores it; the client's webhooks receive it. */
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

/** Parses an event of the table; its id replaces the key. */
export const serviceEvent = z.pipe(storedEvent, z.transform(withId));

/** An event as read from the table, with its id in place of the key. @throws when the key is not that of an event */
export function withId<Stored extends EventKey>({ subject, change, ...event }: Stored) {
  return { eventId: eventIdOf({ subject, change }), ...event };
}

/** An event as the table keeps it, with its key in place of the id. @throws {RangeError} for an invalid id */
export function withKey({ eventId, ...event }: ServiceEvent): z.infer<typeof storedEvent> {
  return { ...requireEventKey(eventId), ...event };
}

/** Bytes; nothing larger becomes an event (decisions.md 7 aims at 20 kB). */
const LARGEST_BODY = 64 * 1024;

/** Makes an event. @throws before anything is written, when the event is larger than receivers have to accept. */
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

/** The process that an event is about: the text before the first dot of its type. */
export function processOf(type: string): string {
  return type.slice(0, type.indexOf('.'));
}
