import * as z from 'zod/mini';

/** An id as it is stored: lower case. Any UUID text is accepted, whatever its version. */
export const id = z.guid().check(z.toLowerCase());

/** RFC 3339 in UTC with milliseconds, so that the order of texts is the order of times. */
export const instant = z.iso.datetime({ precision: 3 });

/** RFC 3339 with offset, as a client writes it: to the nanosecond at most. Its `t` and `z` are stored in upper case. */
export const instantInput = z.string().check(z.toUpperCase(), z.iso.datetime({ offset: true }), z.maxLength(35));

/** A client's own reference for a resource that it creates. */
export const externalReference = z.string().check(z.minLength(1), z.maxLength(255));

/** The body of an answer without content. */
export const noContent = z.undefined();

export const noBody = z.unknown();
export const noPathParameters = z.unknown();
export const noQuery = z.unknown();

/** For a route without query parameters that rejects any (decisions.md 14, Query parameters). */
export const noParameters = z.strictObject({});

/** An absolute URL in plain characters: the URL parser would drop tabs and line ends, and read \ as /. */
const PLAIN_URL = /^https?:\/\/(?<authority>[^\s\p{Cc}\\/?#]+)(?:[/?#][^\s\p{Cc}\\]*)?$/iu;

/**
 * The authority of an absolute http or https URL, as it is written; `undefined` for anything else. The text is stored
 * and passed on, so its own characters are checked, and not what the URL parser makes of them.
 */
export function authorityOf(text: string): string | undefined {
  const authority = PLAIN_URL.exec(text)?.groups?.['authority'];
  return URL.canParse(text) ? authority : undefined;
}

/** Only the characters of RFC 3986, as the published `format: uri` requires. */
const URI = /^https?:\/\/[\w.~:[\]@!$&'()*+,;=%-]+(?:[/?#](?:[\w.~:/?#@!$&'()*+,;=-]|%[\da-f]{2})*)?$/i;

/**
 * True if a URL with an authority is also a URI. Strict readers, such as those of Java and Go, reject any other URL,
 * and with it the whole list that contains it.
 */
export function isUri(text: string): boolean {
  return URI.test(text);
}

/** The most items on a page of a list: 1 to 100, as text; 20 when not given. */
export const pageLimit = z._default(
  z.string().check(z.regex(/^([1-9]\d?|100)$/, 'must be a whole number from 1 to 100')),
  '20',
);
