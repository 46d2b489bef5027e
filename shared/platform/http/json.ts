import { isExact } from '#shared/platform/exact-json.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { ApiError } from './api-error.ts';

/**
 * Parses a request body more strictly than `JSON.parse`, because it carries orders for money: a repeated key or text
 * that is not Unicode is refused, and a number that a double cannot hold exactly arrives as it was written, so that a
 * decimal loses no digit. Anybody may send a body, so the cost grows with its length, and with nothing else.
 *
 * Written by hand, because `lossless-json` accepts a repeated key when both values are equal, and takes `[]` and `{}`
 * for equal.
 *
 * @throws {ApiError} MALFORMED_JSON
 */
export function parseJson(text: string): unknown {
  if (text.startsWith('\ufeff')) throw malformed('The body begins with a byte order mark. Send it without one.');
  try {
    const value: unknown = JSON.parse(text, keepExact);
    refuseRepeatedKeys(text);
    return value;
  } catch (error) {
    if (error instanceof ApiError) throw error;
    // JSON.parse calls itself for each level.
    if (error instanceof RangeError) throw malformed('The body is nested too deeply. Send fewer levels.');
    throw new ApiError(apiErrors.MALFORMED_JSON, { cause: error });
  }
}

function malformed(detail: string): ApiError {
  return new ApiError(apiErrors.MALFORMED_JSON, { detail });
}

function keepExact(key: string, value: unknown, context?: { source?: string }): unknown {
  if (!key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed()))
    throw malformed('A text of the body has half a character (a surrogate without its other half). Send whole ones.');
  const source = context?.source;
  return typeof value === 'number' && source !== undefined && !isExact(value, source)
    ? new WrittenNumber(source)
    : value;
}

/**
 * Texts, punctuation, and what is between them. Each match begins where the last one ended, so nothing is read twice.
 */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^"{}[\]:,]+/gy;

/** Walks the tokens of a text that is known to be JSON, with the keys seen so far in each open object. */
function refuseRepeatedKeys(text: string): void {
  const open: (Set<string> | undefined)[] = [];
  let previous = '';
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') {
      const key: unknown = JSON.parse(previous);
      const seen = open.at(-1);
      if (seen?.has(String(key))) throw malformed('A key of the body is repeated. Send each key once.');
      seen?.add(String(key));
    }
    previous = token;
  }
}

/**
 * A JSON number that a double cannot hold exactly, as it was written. It is neither a number nor a text, so that only
 * schemas of decimals accept it.
 */
export class WrittenNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): string {
    return this.text;
  }
}
