/** What a user may call: Fireblocks, documentation, Manage users. */
export type Role = 'Viewer' | 'Editor' | 'Signer' | 'Non-Signing Admin';

/** A user whose request token has been verified. */
export interface User {
  readonly apiKey: string;
  readonly role: Role;
}

export interface Request {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** By lower-case name. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Milliseconds that it takes. */
  readonly delay?: number;
  /** The connection breaks in the middle of the body. */
  readonly isCutOff?: true;
}

const json = { 'content-type': 'application/json; charset=utf-8' };

export const ok = (value: unknown, status = 200): Answer => ({ status, headers: json, body: JSON.stringify(value) });

export const okText = (body: string, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status: 200,
  headers: { ...json, ...headers },
  body,
});

/** Fireblocks, API reference, ErrorSchema. Codes of which no page speaks are made up. */
export const problem = (status: number, message: string, code: number): Answer => ok({ message, code }, status);

/**
 * The parameters of a query. One that the endpoint does not have is refused, which the vendor is not known to do: an
 * adapter that misspells a filter would get everything.
 */
export function parametersOf(query: URLSearchParams, known: readonly string[]): Readonly<Record<string, string>> {
  const unknown = [...query.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) throw new BadRequest(`Unknown parameter: ${unknown}`);
  return Object.fromEntries(query);
}

/** A number of a page; `most` is its limit. */
export function limitOf(text: string | undefined, byDefault: number, most: number, least = 1): number {
  const limit = text === undefined ? byDefault : Number(text);
  if (!Number.isInteger(limit) || limit < least || limit > most) throw new BadRequest(`Invalid limit: ${text}`);
  return limit;
}

/** One of the words of a parameter. */
export function wordOf<Word extends string>(text: string | undefined, words: readonly [Word, ...Word[]]): Word {
  const word = words.find((one) => one === (text ?? words[0]));
  if (word === undefined) throw new BadRequest(`Invalid value: ${text}`);
  return word;
}

/** Answered with 400. */
export class BadRequest extends Error {}

export const cursorOf = (place: readonly (number | string)[]) => Buffer.from(place.join(':')).toString('base64url');

/** @throws {BadRequest} when no page gave it */
export function placeOf(cursor: string, length: number): readonly number[] {
  const place = Buffer.from(cursor, 'base64url').toString().split(':').map(Number);
  if (place.length !== length || place.some(Number.isNaN)) throw new BadRequest('Invalid cursor');
  return place;
}
