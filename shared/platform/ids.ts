import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { type Fields, ID_SHAPE } from './logger.ts';

const members = z.record(z.string(), z.unknown());
const ofEvent = z.pipe(
  z.object({ detail: members }),
  z.transform(({ detail }) => detail),
);
const withIds = z.union([
  ofEvent,
  z.pipe(
    z.object({ event: ofEvent }),
    z.transform(({ event }) => event),
  ),
  z.pipe(
    z.object({ data: members }),
    z.transform(({ data }) => data),
  ),
  members,
]);

/** More than any message of ours names; another service may name as many as it likes. */
const MOST = 10;

/** Characters. What another service calls an id and is shorter may be the number of somebody's document. */
const SHORTEST = 16;

/**
 * The ids that a JSON text names, for the lines about it: itself, as an event of the bus in its detail, also where a rule
 * has put something beside the event, or as an event for clients in its data. A member is an id if its name says so.
 */
export function idsIn(text: string): Fields {
  try {
    const ids = Object.entries(withIds.parse(JSON.parse(text))).flatMap(([name, id]) =>
      typeof id === 'string' && ID_SHAPE.test(id) && isNamedAsId(name, id) ? [[name, id] as const] : [],
    );
    return Object.fromEntries(ids.slice(0, MOST));
  } catch {
    return {};
  }
}

function isNamedAsId(name: string, { length }: string): boolean {
  return name === 'eventId' || (name.endsWith('Id') && length >= SHORTEST);
}

/** A UUID (version 8, RFC 9562) that follows from a text: the same text, the same id. */
export function digestId(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return uuidOf(bytes);
}

/** The UUID of these 16 bytes. */
export function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
