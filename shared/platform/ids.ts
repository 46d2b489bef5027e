import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { type Fields, ID_SHAPE } from './logger.ts';

const members = z.record(z.string(), z.unknown());
const eventDetail = z.pipe(
  z.object({ detail: members }),
  z.transform(({ detail }) => detail),
);
const withIds = z.union([
  eventDetail,
  z.pipe(
    z.object({ event: eventDetail }),
    z.transform(({ event }) => event),
  ),
  z.pipe(
    z.object({ data: members }),
    z.transform(({ data }) => data),
  ),
  members,
]);

/** The most ids of one text: more than any message of this service has, but another service may send any number. */
const MOST = 10;

/** Characters: a shorter `…Id` of another service may be the number of a person's identity document. */
const SHORTEST = 16;

/**
 * The ids in a JSON text, for log lines about it. Reads the members of the text itself, of the `detail` of a bus event
 * (also if a bus rule has wrapped the event), or of the `data` of an event for clients. The name of a member says
 * whether it is an id.
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

/** A UUID (version 8, RFC 9562) derived from a text: the same text always gives the same id. */
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
