import { base58 } from '@scure/base';

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
