import { base58 } from '@scure/base';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Network, networks, normaliseTransactionHash, transactionHashFormat } from '#shared/networks/network.ts';

const evmNetworks = ['ETHEREUM', 'POLYGON', 'BASE', 'ARBITRUM', 'OPTIMISM', 'BSC', 'AVALANCHE'] as const;
const bareHexadecimalNetworks = ['TRON', 'STELLAR'] as const;
const hexadecimalNetworks = [...evmNetworks, ...bareHexadecimalNetworks];
const base58Networks = [
  ['SOLANA', 64],
  ['SUI', 32],
] as const;

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

const hexadecimal = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF'), minLength: length, maxLength: length });
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const whiteSpace = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r', '\u00a0', '\ufeff'), maxLength: 5 });

/** Look-alikes are a Cyrillic a, a full-width a and zero, a Greek alpha, a dotless i and a Kelvin sign. */
const lookAlikes = ['\u0430', '\uff41', '\uff10', '\u03b1', '\u0131', '\u212a', '😀'];
const outsideBase58 = fc.constantFrom('0', 'O', 'I', 'l', '+', '/', '_', '=', '\0', ...lookAlikes);

const prefixOf = (network: Network) => (bareHexadecimalNetworks.some((bare) => bare === network) ? '' : '0x');

function replaced(text: string, position: number, replacement: string): string {
  const index = position % text.length;
  return text.slice(0, index) + replacement + text.slice(index + 1);
}

/** How many bytes a base58 text stands for, counted with whole numbers instead of the library under test. */
function bytesOf(text: string): number {
  const zeros = /^1*/.exec(text)?.[0].length ?? 0;
  const value = [...text].reduce((sum, character) => sum * 58n + BigInt(BASE58.indexOf(character)), 0n);
  return zeros + (value === 0n ? 0 : Math.ceil(value.toString(16).length / 2));
}

test('interface 4.3: every network of decisions 4 is either EVM, TRON, Stellar, Solana or SUI', () => {
  expect([...hexadecimalNetworks, 'SOLANA', 'SUI'].toSorted()).toEqual(networks.toSorted());
});

describe.each(hexadecimalNetworks)('%s', (network) => {
  const prefix = prefixOf(network);

  test('decisions 4, normalisation: a hash is stored trimmed and in lower case', () => {
    fc.assert(
      fc.property(hexadecimal(64), whiteSpace, whiteSpace, (digits, before, after) => {
        expect(normaliseTransactionHash(network, `${before}${prefix}${digits}${after}`)).toBe(
          `${prefix}${digits.toLowerCase()}`,
        );
      }),
    );
  });

  test('interface 4.3: 64 hexadecimal characters, not one more or less', () => {
    fc.assert(
      fc.property(
        fc.nat(130).filter((length) => length !== 64),
        fc.nat(),
        (length, seed) => {
          const digits = (seed.toString(16) + 'abcdef0123456789'.repeat(9)).slice(0, length);
          expect(normaliseTransactionHash(network, prefix + digits)).toBeUndefined();
        },
      ),
    );
    expect(normaliseTransactionHash(network, prefix + 'a'.repeat(63))).toBeUndefined();
    expect(normaliseTransactionHash(network, prefix + 'a'.repeat(65))).toBeUndefined();
    expect(normaliseTransactionHash(network, '')).toBeUndefined();
  });

  test('decisions 4, normalisation: white space is trimmed around a hash, never taken out of it', () => {
    fc.assert(
      fc.property(hexadecimal(64), fc.integer({ min: 1, max: 63 }), (digits, position) => {
        const [start, end] = [digits.slice(0, position), digits.slice(position)];
        expect(normaliseTransactionHash(network, `${prefix}${start} ${end}`)).toBeUndefined();
      }),
    );
  });
});

describe.each(evmNetworks)('%s', (network) => {
  test.each(['', '0X', 'x', '0', 'Ox', '00', '0x0x', '0х', ' 0x '])(
    'interface 4.3: 64 hexadecimal characters after %j instead of 0x are refused',
    (prefix) => {
      fc.assert(
        fc.property(hexadecimal(64), (digits) => {
          expect(normaliseTransactionHash(network, prefix + digits)).toBeUndefined();
        }),
      );
    },
  );
});

describe.each(bareHexadecimalNetworks)('%s', (network) => {
  test.each(['0x', '0X'])('decisions 4, normalisation: %s is refused', (prefix) => {
    fc.assert(
      fc.property(hexadecimal(64), hexadecimal(62), (digits, fewer) => {
        expect(normaliseTransactionHash(network, prefix + digits)).toBeUndefined();
        expect(normaliseTransactionHash(network, prefix + fewer)).toBeUndefined();
      }),
    );
  });
});

describe.each(base58Networks)('%s', (network, length) => {
  test('decisions 4, normalisation: base58 is trimmed and otherwise unchanged, never case-folded', () => {
    fc.assert(
      fc.property(bytes(length), whiteSpace, whiteSpace, (hash, before, after) => {
        const text = base58.encode(hash);
        expect(normaliseTransactionHash(network, before + text + after)).toBe(text);
      }),
    );
  });

  test(`decisions 4, normalisation: a base58 text is a hash if and only if it stands for ${length} bytes`, () => {
    const longest = { SOLANA: 88, SUI: 44 }[network];
    const text = fc.string({ unit: fc.constantFrom(...BASE58), minLength: longest - 3, maxLength: longest + 2 });
    fc.assert(
      fc.property(text, (candidate) => {
        const expected = bytesOf(candidate) === length ? candidate : undefined;
        expect(normaliseTransactionHash(network, candidate)).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });

  test('interface 4.3: any character outside the base58 alphabet is refused', () => {
    fc.assert(
      fc.property(bytes(length), fc.nat(), outsideBase58, (hash, position, outside) => {
        expect(normaliseTransactionHash(network, replaced(base58.encode(hash), position, outside))).toBeUndefined();
      }),
    );
  });
});

test('decisions 4, normalisation: base58 that differs only in case is a different hash or none', () => {
  fc.assert(
    fc.property(bytes(64), (hash) => {
      const text = base58.encode(hash);
      const swapped = text.toLowerCase();
      fc.pre(swapped !== text);
      expect(normaliseTransactionHash('SOLANA', swapped)).not.toBe(text);
    }),
  );
});

test.each(networks)('decisions 4, normalisation: the length is bounded before anything is decoded (%s)', (network) => {
  for (const character of ['1', 'a', 'z', '0', '😀']) {
    expect(normaliseTransactionHash(network, character.repeat(2_000_000))).toBeUndefined();
    expect(normaliseTransactionHash(network, `0x${character.repeat(2_000_000)}`)).toBeUndefined();
  }
});

test.each([
  ['BASE', /^0x.*64 hexadecimal/],
  ['TRON', /^64 hexadecimal/],
  ['STELLAR', /^64 hexadecimal/],
  ['SOLANA', /base58/],
  ['SUI', /base58/],
] as const)('interface 4.3: the format told to a client of %s is the one of the interface', (network, format) => {
  expect(transactionHashFormat(network)).toMatch(format);
});
