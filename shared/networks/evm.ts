import { hex } from '@scure/base';
import type { NetworkFamily } from './network-family.ts';

const ADDRESS = /^0x[0-9a-f]{40}$/i;
const HASH = /^0x[0-9a-fA-F]{64}$/;

/** Ethereum and what runs its machine. Addresses are compared in lower case: EIP-55 only adds a checksum by case. */
export const evm: NetworkFamily = {
  hasTags: false,
  hasChecksumCase: true,
  parseAddress: (text) => (ADDRESS.test(text) ? { address: text.toLowerCase() } : undefined),
  formatAddress: (key) => `0x${hex.encode(key.subarray(0, 20))}`,
  hashFormat: '0x followed by 64 hexadecimal characters',
  normaliseHash: (text) => (HASH.test(text) ? text.toLowerCase() : undefined),
};
