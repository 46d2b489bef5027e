import * as z from 'zod/mini';
import { digestId } from '#shared/platform/ids.ts';

/*
 * Other services that put on the bus what moves what is ours (decisions.md 4, Operation statuses). What they say of an
 * off-ramp and of a client is a file each.
 */

export const COMPLIANCE = 'payments.compliance';
export const PAYOUTS = 'payments.payouts';

/** Of the event itself: it is the same when it comes again, and stands in for an `eventId` that it lacks. */
export const envelopeId = z.catch(z.optional(z.string()), undefined);

/** A name of what another service says that is the same however often it comes. */
export function eventIdOf(given: unknown, envelope: string | undefined, said: object): string {
  const name = typeof given === 'string' || typeof given === 'number' ? nameOf(String(given)) : undefined;
  return name ?? `envelope:${envelope ?? digestId(JSON.stringify(said))}`;
}

/** Characters. */
const LONGEST = 255;
const LEFT_OF_LONGER = 200;

/** What moves a cursor, hides or turns what stands beside it. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** A name that another service gave. Two different ones stay different, however they are shortened. */
export function nameOf(given: string): string | undefined {
  if (given.trim() === '') return undefined;
  const seen = given.replace(UNSEEN, '\u{fffd}');
  if (seen === given && given.length <= LONGEST) return given;
  return `${[...seen].slice(0, LEFT_OF_LONGER).join('')}~${digestId(given)}`;
}
