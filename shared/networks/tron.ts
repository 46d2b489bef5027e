import { createHash } from 'node:crypto';
import { createBase58check, hex } from '@scure/base';
import type { NetworkFamily } from './network-family.ts';
import { decoded, hexadecimalHash } from './network-family.ts';

const PREFIX = 0x41;
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
    return payload?.length === 21 && payload[0] === PREFIX ? { address: text } : undefined;
  },
  formatAddress: (key) => base58check.encode(Uint8Array.from([PREFIX, ...key.subarray(0, 20)])),
};
