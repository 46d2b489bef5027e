import { base58 } from '@scure/base';
import type { NetworkFamily } from './network-family.ts';
import { decoded, isBase58Of } from './network-family.ts';

/** Addresses are keys of 32 bytes, hashes signatures of 64, both in base58, where the case carries data. */
export const solana: NetworkFamily = {
  hasTags: false,
  hasChecksumCase: false,
  parseAddress: (text) => (decoded(() => base58.decode(text))?.length === 32 ? { address: text } : undefined),
  formatAddress: (key) => base58.encode(key),
  hashFormat: 'base58 of 64 bytes',
  normaliseHash: (text) => (isBase58Of(64, text, 88) ? text : undefined),
};
