import { base58 } from '@scure/base';

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
  /** Whether a memo or tag can separate deposits, so that an account can be shared. */
  readonly hasTags: boolean;
  /** Whether the case of an address carries its checksum (EIP-55), which the normal form lacks. */
  readonly hasChecksumCase: boolean;
  /** The normal form of the address of the account with this key of 32 bytes. */
  formatAddress(key: Uint8Array): string;
  /** The text of the error when a hash does not fit the network (interface 4.3). */
  readonly hashFormat: string;
  /** The one form in which a hash is stored, compared and claimed; `undefined` when the trimmed text is no hash. */
  normaliseHash(text: string): string | undefined;
}

/** The decoded text; `undefined` if it cannot be decoded. */
export function decoded(decode: () => Uint8Array): Uint8Array | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}

/**
 * Whether a text is base58 of this many bytes. The length is bounded first, because decoding takes quadratic time.
 *
 * @param longest the most characters of this many bytes
 */
export function isBase58Of(bytes: number, text: string, longest: number): boolean {
  if (text.length < bytes || text.length > longest) return false;
  return decoded(() => base58.decode(text))?.length === bytes;
}

const HEXADECIMAL_HASH = /^[0-9a-f]{64}$/i;

/** Hashes of TRON and Stellar: 32 bytes without a prefix. */
export const hexadecimalHash = {
  hashFormat: '64 hexadecimal characters, without 0x',
  normaliseHash: (text: string): string | undefined => (HEXADECIMAL_HASH.test(text) ? text.toLowerCase() : undefined),
};
