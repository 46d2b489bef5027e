const HEXADECIMAL_HASH = /^[0-9a-f]{64}$/i;

/** Hashes of TRON and Stellar: 32 bytes without a prefix. */
export const hexadecimalHash = {
  hashFormat: '64 hexadecimal characters, without 0x',
  normaliseHash: (text: string): string | undefined => (HEXADECIMAL_HASH.test(text) ? text.toLowerCase() : undefined),
};
