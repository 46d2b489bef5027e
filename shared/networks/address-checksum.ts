import { keccak_256 } from '@noble/hashes/sha3.js';
import { hex } from '@scure/base';
import { parseAddress } from './addresses-and-hashes.ts';
import { type Network, networkSpecs } from './network.ts';

/* Apart from the addresses, so that who only compares them bundles no hash function. */

/** The form in which people are given an address: with its checksum, where the network has one by case. */
export function withChecksum(network: Network, text: string): string {
  const isPlain = !networkSpecs[network].family.hasChecksumCase || parseAddress(network, text) === undefined;
  return isPlain ? text : eip55(text.slice(2).toLowerCase());
}

/**
 * Whether an address has capitals and small letters that are not those of its checksum: a character of it is wrong. In
 * one case alone it carries no checksum.
 */
export function isMistyped(network: Network, text: string): boolean {
  const letters = text.slice(2);
  const isOneCase = letters === letters.toLowerCase() || letters === letters.toUpperCase();
  return !isOneCase && withChecksum(network, text) !== text;
}

/** A letter is a capital where the digit in its place of the hash is 8 or more. */
function eip55(digits: string): string {
  const hash = hex.encode(keccak_256(Buffer.from(digits, 'ascii')));
  const cased = [...digits].map((digit, place) => (Number(`0x${hash[place]}`) < 8 ? digit : digit.toUpperCase()));
  return `0x${cased.join('')}`;
}
