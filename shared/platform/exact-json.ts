/**
 * JSON of another service, in which a number that a double cannot hold exactly is the text that was written: rounded, two
 * ids of 64 bits are one.
 */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, (_, value: unknown, context?: { source?: string }) => {
    const source = context?.source;
    return typeof value === 'number' && source !== undefined && !isExact(value, source) ? source : value;
  });
}

/** Compares significant digits: `1.0` and `1e2` are held exactly, `0.10000000000000000001` and `1e999` are not. */
export function isExact(value: number, source: string): boolean {
  return Number.isFinite(value) && significantDigits(String(value)) === significantDigits(source);
}

/** From the first digit that is not zero to the last. */
function significantDigits(source: string): string {
  const [mantissa = ''] = source.toLowerCase().split('e');
  const digits = mantissa.replaceAll(/[-.]/g, '');
  let start = 0;
  let end = digits.length;
  while (digits[start] === '0') start += 1;
  while (end > start && digits[end - 1] === '0') end -= 1;
  return digits.slice(start, end);
}
