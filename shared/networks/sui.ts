import { hex } from '@scure/base';
import type { NetworkFamily } from './network-family.ts';
import { isBase58Of } from './network-family.ts';

const ADDRESS = /^0x[0-9a-f]{1,64}$/i;

/** Addresses are 32 bytes in hexadecimal, whose leading zeros may be left out; hashes are base58, where case carries data. */
export const sui: NetworkFamily = {
  hasTags: false,
  hasChecksumCase: false,
  parseAddress: (text) =>
    ADDRESS.test(text) ? { address: `0x${text.slice(2).toLowerCase().padStart(64, '0')}` } : undefined,
  formatAddress: (key) => `0x${hex.encode(key)}`,
  hashFormat: 'base58 of 32 bytes',
  normaliseHash: (text) => (isBase58Of(32, text, 44) ? text : undefined),
};
