import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { uuidOf } from '#shared/platform/ids.ts';

/*
 * Where an event is in the table, and the id by which webhooks, the bus and deliveries know it. The id holds the key: so
 * it finds its event in one read, is the same on every attempt, and is of one event only.
 */

/**
 * One of ours is kept under what it is about, by what it says of it: `operation#{id}`, and `{type}#{deposit id, if any}
 * #{sequence}`. What another service told is kept apart, under its source and the id that it gave: none of its ids is
 * ever one of ours, or of another source.
 */
export const eventKey = z.object({ subject: z.string(), change: z.string() });

export type EventKey = Readonly<z.infer<typeof eventKey>>;

/** What events of ours are about. Ids have the place of a kind in this list. */
const kinds = ['operation', 'payin', 'client'] as const;

const OWN_SUBJECT = /^(operation|payin|client)#([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
const OWN_CHANGE = /^([a-z_]+(?:\.[a-z_]+)+)#([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|)#(\d{10})$/;

/** Digits of a sequence in a key, so that their order is that of the sequences. */
const DIGITS = 10;

const OTHER_SUBJECT = /^other#([\w-]{21}[AQgw])#([\w-]{1,100})$/;
const OTHER_CHANGE = 'EVENT';

/** The subject of the events about an off-ramp and its deposits, a pay-in or a client. */
export function subjectOf(kind: (typeof kinds)[number], id: string): string {
  return `${kind}#${id}`;
}

/** The key of an event of this service: a change has one event of a type, and its sequence says which. */
export function changeKey(subject: string, type: string, depositId: string | undefined, sequence: number): EventKey {
  return { subject, change: `${type}#${depositId ?? ''}#${String(sequence).padStart(DIGITS, '0')}` };
}

/** The parts of the second half of such a key; `undefined` for an event of another service. */
export function partsOfChange(change: string) {
  const [, type, depositId, sequence] = OWN_CHANGE.exec(change) ?? [];
  return type === undefined || depositId === undefined ? undefined : { type, depositId, sequence: Number(sequence) };
}

/** The id of an event that another service put on the bus, of at most 100 characters of `[A-Za-z0-9_-]` in its own words. */
export function otherEventId(source: string, given: string): string {
  const tag = createHash('sha256').update(source).digest().subarray(0, 16).toString('base64url');
  return eventIdOf({ subject: `other#${tag}#${given}`, change: OTHER_CHANGE });
}

/** @throws {RangeError} when no event has this key */
export function eventIdOf(key: EventKey): string {
  const eventId = coded(key);
  if (eventId === undefined) throw new RangeError(`No event has the key ${key.subject} ${key.change}.`);
  return eventId;
}

/** Characters of the longest id: a caller may make up a longer one, whose key DynamoDB refuses. */
const LONGEST_ID = 128;

/** The key of the event with this id; `undefined` for whatever is no id, or is one in another spelling. */
export function eventKeyOf(eventId: string): EventKey | undefined {
  if (eventId.length > LONGEST_ID) return undefined;
  const key = eventId.startsWith(OTHER) ? otherKey(eventId) : ownKey(eventId);
  return key !== undefined && coded(key) === eventId ? key : undefined;
}

/** The same of an event that is there, or is to be. @throws {RangeError} when it is no id of an event */
export function keyOfEvent(eventId: string): EventKey {
  const key = eventKeyOf(eventId);
  if (key === undefined) throw new RangeError(`${eventId} is the id of no event.`);
  return key;
}

/**
 * The place of an event among those of its client, put once, when the bus has accepted it: later ones come after it.
 *
 * @param at of the clock right before the write that puts it
 */
export function placeOf(eventId: string, at: Date): string {
  const { change } = keyOfEvent(eventId);
  const sequence = change === OTHER_CHANGE ? '0'.repeat(DIGITS) : change.slice(-DIGITS);
  return `${placeAt(at)}#${sequence}#${eventId}`;
}

/** A place before all that are put at that time or later. */
export function placeAt(at: Date): string {
  return String(at.getTime()).padStart(13, '0');
}

/** Before the bytes of an id of ours, and before the source of another one, which has 22 characters. */
const [OWN, OTHER, SOURCE] = ['evt_', 'ext_', 22];

/** Whether an event of this service has the id, not one of another service. */
export function isOwnEvent(eventId: string): boolean {
  return eventId.startsWith(OWN);
}

/** `evt_`, and in Base64 kind, id, deposit if any, sequence and type; `ext_`, and source and id of another service. */
function coded({ subject, change }: EventKey): string | undefined {
  const [, tag, given] = OTHER_SUBJECT.exec(subject) ?? [];
  if (given !== undefined) return change === OTHER_CHANGE ? `${OTHER}${tag}_${given}` : undefined;
  const [, , id] = OWN_SUBJECT.exec(subject) ?? [];
  const parts = partsOfChange(change);
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
  return kind && changeKey(subjectOf(kind, id), type, hasDeposit ? uuidIn(bytes, 21) : undefined, sequence);
}

function uuidIn(bytes: Buffer, start: number): string {
  return uuidOf(bytes.subarray(start, start + 16));
}

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

/** An event as read from the table, with its id in place of the key. @throws when the key is not that of an event */
export function withId<Stored extends EventKey>({ subject, change, ...event }: Stored) {
  return { eventId: eventIdOf({ subject, change }), ...event };
}

/** An event as the table keeps it, with its key in place of the id. @throws {RangeError} when it is no id of an event */
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
