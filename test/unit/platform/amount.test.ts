import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalAmount, decimalPlaces } from '#shared/platform/amount.ts';

const digit = fc.constantFrom(...'0123456789');
const whole = fc.string({ unit: digit, minLength: 1, maxLength: 30 });
const fraction = fc.string({ unit: digit, maxLength: 18 });
const decimal = fc.tuple(whole, fraction).map(([before, after]) => (after === '' ? before : `${before}.${after}`));

/** The amount in units of its 18th decimal: exact by being a whole number. */
function scaled(text: string): bigint {
  const [before = '', after = ''] = text.split('.');
  return BigInt(before + after.padEnd(18, '0'));
}

test('interface 4.3 rule 1: 1, 1.0 and 1.000000 are the same exact amount', () => {
  for (const text of ['1', '1.0', '1.000000', '01', '001.000000000000000000']) expect(canonicalAmount(text)).toBe('1');
});

test('interface 4.3 rule 1: the canonical amount is the amount itself, to the last digit', () => {
  fc.assert(
    fc.property(decimal, (text) => {
      const canonical = canonicalAmount(text);
      expect(canonical === undefined ? 0n : scaled(canonical)).toBe(scaled(text));
    }),
    { numRuns: 500 },
  );
});

test('interface 4.3 rule 1: two amounts have one canonical text if and only if they are equal', () => {
  const similar = decimal.chain((text) =>
    fc.tuple(fc.constant(text), fc.oneof(fc.constant(`0${text}`), fc.constant(text.replace(/\.?0*$/, '')), decimal)),
  );
  fc.assert(
    fc.property(similar, ([one, other]) => {
      const [first, second] = [canonicalAmount(one), canonicalAmount(other)];
      fc.pre(first !== undefined && second !== undefined);
      expect(first === second).toBe(scaled(one) === scaled(other));
    }),
    { numRuns: 500 },
  );
});

test.each([
  '',
  '0',
  '000.000000000000000000',
  '-1',
  '+1',
  '-0',
  '1e3',
  ' 1',
  '1\n',
  '1 000',
  '1,5',
  '.5',
  '1.',
  '1.2.3',
  'NaN',
  '\u0661',
  '1'.repeat(31),
  `1.${'0'.repeat(19)}`,
])('decisions 4, withdrawal creation: %j is no positive plain decimal', (text) => {
  expect(canonicalAmount(text)).toBeUndefined();
});

test('decisions 4, withdrawal creation: the decimals of an amount are those that say something', () => {
  expect(decimalPlaces('1')).toBe(0);
  expect(decimalPlaces('1.5')).toBe(1);
  expect(decimalPlaces('0.000000000000000001')).toBe(18);
});

describe('decisions 4, withdrawal creation: an amount that is a JSON number', () => {
  test('is the decimal it was written as', () => {
    const held = fc
      .tuple(fc.integer({ min: 1, max: 999_999_999_999_999 }), fc.nat(18))
      .map(([digits, places]) =>
        String(digits)
          .padStart(places + 1, '0')
          .replace(new RegExp(`(\\d{${places}})$`), '.$1'),
      )
      .map((text) => text.replace(/\.$/, ''));
    fc.assert(
      fc.property(held, (text) => {
        expect(canonicalAmount(Number(text))).toBe(canonicalAmount(text));
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    [1e-7, '0.0000001'],
    [1e-18, '0.000000000000000001'],
    [1.5e-10, '0.00000000015'],
    [1e21, '1000000000000000000000'],
    [1.0, '1'],
  ])('%d is the plain decimal %s, never an exponent', (given, plain) => {
    expect(canonicalAmount(given)).toBe(plain);
  });

  test.each([0, -0, -1, -1e-7, 1e-19, 1e30, 1e308])('%d is not valid', (given) => {
    expect(canonicalAmount(given)).toBeUndefined();
  });
});
