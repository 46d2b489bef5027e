/** The roles of users: Fireblocks, documentation, Manage users. */
export type Role = 'Viewer' | 'Editor' | 'Signer' | 'Non-Signing Admin';

/** A user whose request token has been verified. */
export interface User {
  readonly apiKey: string;
  readonly role: Role;
}

export interface Request {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** By name in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Milliseconds by which the answer is delayed. */
  readonly delay?: number;
  /** True if the connection breaks in the middle of the body. */
  readonly isCutOff?: true;
}

const json = { 'content-type': 'application/json; charset=utf-8' };

export const ok = (value: unknown, status = 200): Answer => ({ status, headers: json, body: JSON.stringify(value) });

export const okText = (body: string, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status: 200,
  headers: { ...json, ...headers },
  body,
});

/** Fireblocks, API reference, ErrorSchema. Codes that no page documents are made up. */
export const problem = (status: number, message: string, code: number): Answer => ok({ message, code }, status);

/**
 * The parameters of a query. Unknown ones are refused, because an adapter that misspells a filter would get everything;
 * whether the vendor refuses them is not known.
 */
export function parametersOf(query: URLSearchParams, known: readonly string[]): Readonly<Record<string, string>> {
  const unknown = [...query.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) throw new BadRequest(`Unknown parameter: ${unknown}`);
  return Object.fromEntries(query);
}

/** Reads the size of a page, from `least` to `most`. */
export function limitOf(text: string | undefined, byDefault: number, most: number, least = 1): number {
  const limit = text === undefined ? byDefault : Number(text);
  if (!Number.isInteger(limit) || limit < least || limit > most) throw new BadRequest(`Invalid limit: ${text}`);
  return limit;
}

/** Reads a parameter that takes one of these words; the first is the default. */
export function wordOf<Word extends string>(text: string | undefined, words: readonly [Word, ...Word[]]): Word {
  const word = words.find((one) => one === (text ?? words[0]));
  if (word === undefined) throw new BadRequest(`Invalid value: ${text}`);
  return word;
}

/** An error that is answered with 400. */
export class BadRequest extends Error {}

export const cursorOf = (place: readonly (number | string)[]) => Buffer.from(place.join(':')).toString('base64url');

/** @throws {BadRequest} when the cursor has another format */
export function placeOf(cursor: string, length: number): readonly number[] {
  const place = Buffer.from(cursor, 'base64url').toString().split(':').map(Number);
  if (place.length !== length || place.some(Number.isNaN)) throw new BadRequest('Invalid cursor');
  return place;
}
