/**
 * Parses JSON of another service. A number that a double cannot hold exactly stays the text that was written: rounding
 * could make two 64-bit ids equal.
 */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, (_, value: unknown, context?: { source?: string }) => {
    const source = context?.source;
    return typeof value === 'number' && source !== undefined && !isExact(value, source) ? source : value;
  });
}

/**
 * True if a double has all significant digits of the number: `0.1`, `1.0` and `1e2` are exact,
 * `0.10000000000000000001` and `1e999` are not.
 */
export function isExact(value: number, source: string): boolean {
  return Number.isFinite(value) && significantDigits(String(value)) === significantDigits(source);
}

/** The digits from the first to the last nonzero one. */
function significantDigits(source: string): string {
  const [mantissa = ''] = source.toLowerCase().split('e');
  const digits = mantissa.replaceAll(/[-.]/g, '');
  let start = 0;
  let end = digits.length;
  while (digits[start] === '0') start += 1;
  while (end > start && digits[end - 1] === '0') end -= 1;
  return digits.slice(start, end);
}
