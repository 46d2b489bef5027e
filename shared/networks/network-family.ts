import { base58 } from '@scure/base';

/**
 * An account on a network, with the memo or tag that distinguishes deposits to one account where the network has one.
 */
export interface AccountAddress {
  readonly address: string;
  readonly tag?: string;
}

/** How the networks of one family write their addresses and transaction hashes. */
export interface NetworkFamily {
  /**
   * The normal form of an address, in which two spellings of one account are equal; `undefined` when the text, of at most
   * 128 characters, is no address of the family.
   */
  parseAddress(text: string): AccountAddress | undefined;
  /** Whether a memo or tag can distinguish deposits to one account, so that an account can be shared. */
  readonly hasTags: boolean;
  /** Whether the case of the letters of an address carries its checksum (EIP-55), which the normal form is without. */
  readonly hasChecksumCase: boolean;
  /** The normal form of the address of the account with this key of 32 bytes. */
  formatAddress(key: Uint8Array): string;
  /** The text of the error when a hash does not fit the network (interface 4.3). */
  readonly hashFormat: string;
  /** The one form in which a hash is stored, compared and claimed; `undefined` when the trimmed text is no hash. */
  normaliseHash(text: string): string | undefined;
}

/** What a text is decoded to; `undefined` when it cannot be. */
export function decoded(decode: () => Uint8Array): Uint8Array | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}

/**
 * Whether a text is base58 of so many bytes. The length is bounded first: decoding base58 takes time that grows with its
 * square.
 *
 * @param longest characters that so many bytes take at most
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
