import { base32nopad } from '@scure/base';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatAddress, isSameAddress, networks, parseAddress } from '#shared/networks/network.ts';

const USDT_TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const USDT_TRON_HEXADECIMAL = '41a614f803b6fd780986a42c78ec9c7f77e6ded13c';
const USDC_STELLAR = 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
const SEP23_ACCOUNT = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
const SEP23_MUXED_0 = 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ';
const SEP23_MUXED_LARGE = 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK';
const USDC_SOLANA = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

const key = fc.uint8Array({ minLength: 32, maxLength: 32 });
const BASE58 = [...'123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'];
const BASE32 = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'];

/** The text with one character turned into another one of the same alphabet. */
function oneCharacterChanged(text: string, alphabet: readonly string[]) {
  return fc
    .tuple(fc.nat(text.length - 1), fc.constantFrom(...alphabet))
    .filter(([position, character]) => text[position] !== character)
    .map(([position, character]) => text.slice(0, position) + character + text.slice(position + 1));
}

describe.each(networks)('%s', (network) => {
  test('decisions 4, deposit address: an address made from a key is an address in its normal form', () => {
    fc.assert(
      fc.property(key, (bytes) => {
        const address = formatAddress(network, bytes);
        expect(parseAddress(network, address)).toEqual({ address });
      }),
    );
  });

  test('decisions 4, what counts as confirmed: texts that are no addresses are equal to nothing', () => {
    for (const text of ['', ' ', '0x', 'null', 'a'.repeat(129), '1'.repeat(200_000)]) {
      expect(parseAddress(network, text)).toBeUndefined();
      expect(isSameAddress(network, text, text)).toBe(false);
    }
  });

  test('decisions 4, what counts as confirmed: whatever text is given, parsing answers instead of throwing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 140 }), (text) => {
        const parsed = parseAddress(network, text);
        expect(parsed === undefined || parsed.address.length > 0).toBe(true);
      }),
    );
  });
});

describe('EVM', () => {
  test('decisions 4, what counts as confirmed: upper and lower case (EIP-55) name the same account', () => {
    const checksummed = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    expect(parseAddress('BASE', checksummed)).toEqual({ address: checksummed.toLowerCase() });
    expect(isSameAddress('BASE', checksummed, checksummed.toLowerCase())).toBe(true);
  });

  test.each([`0x${'a'.repeat(39)}`, `0x${'a'.repeat(41)}`, 'a'.repeat(40), `0x${'a'.repeat(39)}g`])(
    'decisions 4, what counts as confirmed: %s is no address',
    (text) => {
      expect(parseAddress('ETHEREUM', text)).toBeUndefined();
    },
  );
});

describe('TRON', () => {
  test('decisions 4, what counts as confirmed: base58check and hexadecimal name the same account', () => {
    expect(parseAddress('TRON', USDT_TRON)).toEqual({ address: USDT_TRON });
    expect(parseAddress('TRON', USDT_TRON_HEXADECIMAL)).toEqual({ address: USDT_TRON });
    expect(parseAddress('TRON', USDT_TRON_HEXADECIMAL.toUpperCase())).toEqual({ address: USDT_TRON });
  });

  test('decisions 4, what counts as confirmed: a wrong checksum is no address', () => {
    fc.assert(
      fc.property(oneCharacterChanged(USDT_TRON, BASE58), (text) => {
        expect(parseAddress('TRON', text)).toBeUndefined();
      }),
    );
  });

  test('decisions 4, what counts as confirmed: base58check with another prefix (Bitcoin) is no address', () => {
    expect(parseAddress('TRON', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa')).toBeUndefined();
  });
});

describe('STELLAR', () => {
  test('decisions 4, what counts as confirmed: an account is its own normal form and has no tag', () => {
    expect(parseAddress('STELLAR', USDC_STELLAR)).toEqual({ address: USDC_STELLAR });
  });

  test('decisions 4, what counts as confirmed: a wrong checksum is no address', () => {
    for (const address of [USDC_STELLAR, SEP23_MUXED_0]) {
      fc.assert(
        fc.property(oneCharacterChanged(address, BASE32), (text) => {
          expect(parseAddress('STELLAR', text)).toBeUndefined();
        }),
      );
    }
  });

  test('decisions 4, what counts as confirmed: a muxed address (SEP-23) is an account and a tag', () => {
    expect(parseAddress('STELLAR', SEP23_ACCOUNT)).toEqual({ address: SEP23_ACCOUNT });
    expect(parseAddress('STELLAR', SEP23_MUXED_0)).toEqual({ address: SEP23_ACCOUNT, tag: '0' });
    expect(parseAddress('STELLAR', SEP23_MUXED_LARGE)).toEqual({ address: SEP23_ACCOUNT, tag: '9223372036854775808' });
    expect(isSameAddress('STELLAR', SEP23_MUXED_0, SEP23_ACCOUNT)).toBe(true);
  });

  test.each([
    ['an account too short', 'GAAAAAAAACGC6'],
    ['an unused trailing bit that is set', 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUR'],
    ['a length that no bytes have', `${SEP23_ACCOUNT}A`],
    ['an unknown algorithm', 'G47QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVP2I'],
    ['padding', `${SEP23_MUXED_0}===`],
    ['lower case', SEP23_ACCOUNT.toLowerCase()],
    ['the seed of the account', 'SBU2RRGLXH3E5CQHTD3ODLDF2BWDCYUSSBLLZ5GNW7JXHDIYKXZWHOKR'],
  ])('decisions 4, what counts as confirmed: SEP-23 refuses %s', (_, text) => {
    expect(parseAddress('STELLAR', text)).toBeUndefined();
  });
});

/** SEP-23 closes every key with a CRC16 in little-endian order. */
function strKey(version: number, length: number): string {
  const bytes = Buffer.alloc(length - 2, 1);
  bytes[0] = version;
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  return base32nopad.encode(Buffer.concat([bytes, Buffer.from([crc & 0xff, crc >> 8])]));
}

test('decisions 4, what counts as confirmed: of the keys of Stellar only accounts, muxed or not, are addresses', () => {
  const versions = Array.from({ length: 32 }, (_, version) => version << 3);
  const accepted = (length: number) =>
    versions.filter((version) => parseAddress('STELLAR', strKey(version, length)) !== undefined);
  expect(accepted(35)).toEqual([6 << 3]);
  expect(accepted(43)).toEqual([12 << 3]);
  expect(accepted(36)).toEqual([]);
  expect(accepted(42)).toEqual([]);
});

describe('SUI', () => {
  test('decisions 4, what counts as confirmed: leading zeros and case make no difference', () => {
    const padded = `0x${'2'.padStart(64, '0')}`;
    expect(parseAddress('SUI', '0x2')).toEqual({ address: padded });
    expect(isSameAddress('SUI', '0x0ABC', `0x${'abc'.padStart(64, '0')}`)).toBe(true);
  });

  test.each(['0x', `0x${'a'.repeat(65)}`, 'a'.repeat(64), '0xg'])(
    'decisions 4, what counts as confirmed: %s is no address',
    (text) => {
      expect(parseAddress('SUI', text)).toBeUndefined();
    },
  );
});

describe('SOLANA', () => {
  test('decisions 4, what counts as confirmed: an address is base58 of 32 bytes, and its case counts', () => {
    expect(parseAddress('SOLANA', USDC_SOLANA)).toEqual({ address: USDC_SOLANA });
    expect(parseAddress('SOLANA', '1'.repeat(32))).toEqual({ address: '1'.repeat(32) });
    expect(isSameAddress('SOLANA', USDC_SOLANA, USDC_SOLANA.toLowerCase())).toBe(false);
  });

  test.each(['1'.repeat(31), '1'.repeat(33), `${USDC_SOLANA}1`, USDC_SOLANA.replace('E', '0')])(
    'decisions 4, what counts as confirmed: %s is no address',
    (text) => {
      expect(parseAddress('SOLANA', text)).toBeUndefined();
    },
  );
});
