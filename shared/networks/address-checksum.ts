import { keccak_256 } from '@noble/hashes/sha3.js';
import { hex } from '@scure/base';
import { type Network, networkSpecs, parseAddress } from './network.ts';
import type { AccountAddress } from './network-families.ts';

/* A separate file, so that comparing addresses bundles no hash function. */

/** An address as people see it: with its checksum, if the network encodes one in the case. */
export function withChecksum(network: Network, text: string): string {
  const isPlain = !networkSpecs[network].family.hasChecksumCase || parseAddress(network, text) === undefined;
  return isPlain ? text : eip55(text.slice(2).toLowerCase());
}

/**
 * True if the mixed case of an address contradicts its checksum: then a character is wrong. An address in a single case
 * has no checksum.
 */
export function hasWrongChecksum(network: Network, text: string): boolean {
  const letters = text.slice(2);
  const isOneCase = letters === letters.toLowerCase() || letters === letters.toUpperCase();
  return !isOneCase && withChecksum(network, text) !== text;
}

/** The normal form of an address that a person has written, or why it is not accepted. */
export function parseWrittenAddress(network: Network, text: string): AccountAddress | { readonly fault: string } {
  const read = parseAddress(network, text);
  if (read === undefined) return { fault: `must be an address of ${network}` };
  return hasWrongChecksum(network, text) ? { fault: WRONG_CHECKSUM } : read;
}

const WRONG_CHECKSUM = 'must have the capitals of its checksum (EIP-55): a character is wrong, so copy it again';

/** EIP-55: a letter is a capital if the hash's digit at its place is 8 or more. */
function eip55(digits: string): string {
  const hash = hex.encode(keccak_256(Buffer.from(digits, 'ascii')));
  const cased = [...digits].map((digit, place) => (Number(`0x${hash[place]}`) < 8 ? digit : digit.toUpperCase()));
  return `0x${cased.join('')}`;
}
