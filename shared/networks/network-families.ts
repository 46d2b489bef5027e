import { createHash } from 'node:crypto';
import { base32nopad, base58, createBase58check, hex } from '@scure/base';

/** An account on a network, with the memo or tag that separates deposits to a shared account. */
export interface AccountAddress {
  readonly address: string;
  readonly tag?: string;
}

/** The address and hash formats of a family of networks. */
export interface NetworkFamily {
  /**
   * The normal form of an address, in which two spellings of one account are equal; `undefined` when the text, of at most
   * 128 characters, is no address of the family.
   */
  parseAddress(text: string): AccountAddress | undefined;
  /** True if a memo or tag can separate deposits, so that an account can be shared. */
  readonly hasTags: boolean;
  /** True if the case of an address carries its checksum (EIP-55), which the normal form lacks. */
  readonly hasChecksumCase: boolean;
  /** The normal form of the address of the account with this key of 32 bytes. */
  formatAddress(key: Uint8Array): string;
  /** The text of the error when a hash does not fit the network (interface 4.3). */
  readonly hashFormat: string;
  /** The one form in which a hash is stored, compared and claimed; `undefined` when the trimmed text is no hash. */
  normaliseHash(text: string): string | undefined;
}

/** The decoded text; `undefined` if it cannot be decoded. */
function decoded(decode: () => Uint8Array): Uint8Array | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}

/**
 * True if a text is base58 of this many bytes. The length is checked first, because decoding takes quadratic time.
 *
 * @param longest the most characters of this many bytes
 */
function isBase58Of(bytes: number, text: string, longest: number): boolean {
  if (text.length < bytes || text.length > longest) return false;
  return decoded(() => base58.decode(text))?.length === bytes;
}

const HEXADECIMAL_HASH = /^[0-9a-f]{64}$/i;

/** Hashes of TRON and Stellar: 32 bytes without a prefix. */
const hexadecimalHash = {
  hashFormat: '64 hexadecimal characters, without 0x',
  normaliseHash: (text: string): string | undefined => (HEXADECIMAL_HASH.test(text) ? text.toLowerCase() : undefined),
};

const EVM_ADDRESS = /^0x[0-9a-f]{40}$/i;
const EVM_HASH = /^0x[0-9a-fA-F]{64}$/;

/** Ethereum and other EVM networks. Addresses are compared in lower case: EIP-55 only adds a checksum by case. */
export const evm: NetworkFamily = {
  hasTags: false,
  hasChecksumCase: true,
  parseAddress: (text) => (EVM_ADDRESS.test(text) ? { address: text.toLowerCase() } : undefined),
  formatAddress: (key) => `0x${hex.encode(key.subarray(0, 20))}`,
  hashFormat: '0x followed by 64 hexadecimal characters',
  normaliseHash: (text) => (EVM_HASH.test(text) ? text.toLowerCase() : undefined),
};

/** Addresses are keys of 32 bytes, hashes signatures of 64, both in base58, where the case carries data. */
export const solana: NetworkFamily = {
  hasTags: false,
  hasChecksumCase: false,
  parseAddress: (text) => (decoded(() => base58.decode(text))?.length === 32 ? { address: text } : undefined),
  formatAddress: (key) => base58.encode(key),
  hashFormat: 'base58 of 64 bytes',
  normaliseHash: (text) => (isBase58Of(64, text, 88) ? text : undefined),
};

const ACCOUNT_VERSION = 6 << 3;
const MUXED_VERSION = 12 << 3;

/** Addresses are those of SEP-23 (StrKey). A muxed one is split into its account and its id, which is the tag. */
export const stellar: NetworkFamily = {
  hasTags: true,
  hasChecksumCase: false,
  ...hexadecimalHash,
  parseAddress(text) {
    const bytes = decoded(() => base32nopad.decode(text));
    if (bytes === undefined || !hasChecksum(bytes)) return undefined;
    if (bytes[0] === ACCOUNT_VERSION && bytes.length === 35) return { address: text };
    return bytes[0] === MUXED_VERSION && bytes.length === 43 ? accountAndTag(bytes) : undefined;
  },
  formatAddress: (key) => encode(Uint8Array.from([ACCOUNT_VERSION, ...key])),
};

function accountAndTag(muxed: Uint8Array): AccountAddress {
  const account = new Uint8Array(33);
  account[0] = ACCOUNT_VERSION;
  account.set(muxed.subarray(1, 33), 1);
  const id = Buffer.from(muxed.subarray(33, 41)).readBigUInt64BE();
  return { address: encode(account), tag: id.toString() };
}

function encode(versionAndKey: Uint8Array): string {
  const checksum = crc16(versionAndKey);
  return base32nopad.encode(Uint8Array.from([...versionAndKey, checksum & 0xff, checksum >> 8]));
}

function hasChecksum(bytes: Uint8Array): boolean {
  const checksum = crc16(bytes.subarray(0, -2));
  return bytes.at(-2) === (checksum & 0xff) && bytes.at(-1) === checksum >> 8;
}

/** CRC16-XMODEM, the checksum of SEP-23. */
function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc;
}

const SUI_ADDRESS = /^0x[0-9a-f]{1,64}$/i;

/** Addresses are 32 bytes in hexadecimal, whose leading zeros may be left out; hashes are base58, where case carries data. */
export const sui: NetworkFamily = {
  hasTags: false,
  hasChecksumCase: false,
  parseAddress: (text) =>
    SUI_ADDRESS.test(text) ? { address: `0x${text.slice(2).toLowerCase().padStart(64, '0')}` } : undefined,
  formatAddress: (key) => `0x${hex.encode(key)}`,
  hashFormat: 'base58 of 32 bytes',
  normaliseHash: (text) => (isBase58Of(32, text, 44) ? text : undefined),
};

const TRON_PREFIX = 0x41;
const HEXADECIMAL_ADDRESS = /^41[0-9a-f]{40}$/i;

const base58check = createBase58check(
  (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest()),
);

/** Addresses are base58check with prefix 0x41; the hexadecimal form that some tools write is the same account. */
export const tron: NetworkFamily = {
  hasTags: false,
  hasChecksumCase: false,
  ...hexadecimalHash,
  parseAddress(text) {
    if (HEXADECIMAL_ADDRESS.test(text)) return { address: base58check.encode(hex.decode(text.toLowerCase())) };
    const payload = decoded(() => base58check.decode(text));
    return payload?.length === 21 && payload[0] === TRON_PREFIX ? { address: text } : undefined;
  },
  formatAddress: (key) => base58check.encode(Uint8Array.from([TRON_PREFIX, ...key.subarray(0, 20)])),
};
