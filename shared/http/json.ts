import { Refusal } from '#shared/domain/refusal.ts';
import { WrittenNumber } from '#shared/domain/written-number.ts';

/**
 * Parses a request body more strictly than `JSON.parse`, because money hangs on it: a repeated key or text that is not
 * Unicode is refused, and a number that a double cannot hold exactly arrives as it was written, so that a decimal
 * loses no digit.
 *
 * @throws {Refusal} MALFORMED_JSON
 */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text, keepExact);
    refuseRepeatedKeys(text);
    return value;
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal('MALFORMED_JSON', { cause: error });
  }
}

function keepExact(key: string, value: unknown, context?: { source?: string }): unknown {
  if (!key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed())) throw new Refusal('MALFORMED_JSON');
  const source = context?.source;
  return typeof value === 'number' && source !== undefined && !isExact(value, source)
    ? new WrittenNumber(source)
    : value;
}

/** Compares significant digits: `1.0` and `1e2` are held exactly, `0.10000000000000000001` and `1e999` are not. */
function isExact(value: number, source: string): boolean {
  return Number.isFinite(value) && significantDigits(String(value)) === significantDigits(source);
}

function significantDigits(source: string): string {
  const [mantissa = ''] = source.toLowerCase().split('e');
  return mantissa.replace(/[-.]/g, '').replace(/^0+|0+$/g, '');
}

/** Walks the tokens of a text that is known to be JSON, with the keys seen so far in each open object. */
function refuseRepeatedKeys(text: string): void {
  const open: (Set<string> | undefined)[] = [];
  let previous = '';
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:,]/g)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') {
      const key: unknown = JSON.parse(previous);
      const seen = open.at(-1);
      if (seen?.has(String(key))) throw new Refusal('MALFORMED_JSON', { detail: 'A key of the body is repeated.' });
      seen?.add(String(key));
    }
    previous = token;
  }
}
