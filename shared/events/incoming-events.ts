import * as z from 'zod/mini';
import { digestId } from '#shared/platform/ids.ts';

/*
 * Events of other services that change our resources (decisions.md 4, Operation statuses). Off-ramps and clients have a
 * file each.
 */

export const COMPLIANCE = 'payments.compliance';
export const PAYOUTS = 'payments.payouts';

/** The envelope's id: the same in every repeat, and the fallback for a missing `eventId`. */
export const envelopeId = z.catch(z.optional(z.string()), undefined);

/** An identifier of an event that is the same in every repeat. */
export function incomingEventId(given: unknown, envelope: string | undefined, content: object): string {
  const name = typeof given === 'string' || typeof given === 'number' ? sanitiseName(String(given)) : undefined;
  return name ?? `envelope:${envelope ?? digestId(JSON.stringify(content))}`;
}

/** The most characters of a name, and those that are kept of a longer one. */
const LONGEST = 255;
const LEFT_OF_LONGER = 200;

/** Characters that move a cursor, or hide or turn their neighbours. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/gu;

/**
 * A name from another service, with unseen characters replaced; `undefined` for a blank one. Different names stay
 * different when they are shortened.
 */
export function sanitiseName(given: string): string | undefined {
  if (given.trim() === '') return undefined;
  const seen = given.replace(UNSEEN, '\u{fffd}');
  if (seen === given && given.length <= LONGEST) return given;
  return `${[...seen].slice(0, LEFT_OF_LONGER).join('')}~${digestId(given)}`;
}
