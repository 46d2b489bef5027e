import * as z from 'zod/mini';

/** An id as it is stored: lower case. Any UUID text is accepted, whatever its version. */
export const id = z.guid().check(z.toLowerCase());

/** RFC 3339 in UTC with milliseconds, so that the order of texts is the order of times. */
export const instant = z.iso.datetime({ precision: 3 });

/** RFC 3339 with offset, as a client writes it: to the nanosecond at most. */
export const instantIn = z.iso.datetime({ offset: true }).check(z.maxLength(35));

/** A client's own name for what it creates. */
export const externalReference = z.string().check(z.minLength(1), z.maxLength(255));

/** The body of an answer without content. */
export const noContent = z.undefined();

export const noBody = z.unknown();
export const noPathParameters = z.unknown();
export const noQuery = z.unknown();

/** Of a route without query parameters that refuses any (decisions.md 14, Query parameters). */
export const noParameters = z.strictObject({});

/** Absolute and written plainly: the parser of URLs would drop tabs and line ends, and take \ for /. */
const PLAIN_URL = /^https?:\/\/(?<authority>[^\s\p{Cc}\\/?#]+)(?:[/?#][^\s\p{Cc}\\]*)?$/iu;

/**
 * The authority of an absolute http or https URL, as it is written: a text that is kept and handed on is judged by its
 * characters, not by what a parser makes of them. `undefined` for anything else.
 */
export function authorityOf(text: string): string | undefined {
  const authority = PLAIN_URL.exec(text)?.groups?.['authority'];
  return URL.canParse(text) ? authority : undefined;
}

/** After an authority, the characters of RFC 3986 alone: what is published as `format: uri` has no others. */
const URI = /^https?:\/\/[\w.~:[\]@!$&'()*+,;=%-]+(?:[/?#](?:[\w.~:/?#@!$&'()*+,;=-]|%[\da-f]{2})*)?$/i;

/**
 * Whether the URL of an authority is a URI as well: strict readers, such as those of Java and Go, take no other one, and a
 * list that has one would be no list to them.
 */
export function isUri(text: string): boolean {
  return URI.test(text);
}

/** How many a page of a list has: 1 to 100, as text; 20 when not given. */
export const pageLimit = z._default(
  z.string().check(z.regex(/^([1-9]\d?|100)$/, 'must be a whole number from 1 to 100')),
  '20',
);
