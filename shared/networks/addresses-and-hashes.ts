import { type Network, networkSpecs } from './network.ts';
import type { AccountAddress } from './network-family.ts';

/** Longer than any address: bounds the cost of reading a text. */
const LONGEST = 128;

/** The normal form of an address, in which two spellings of one account are equal; `undefined` for anything else. */
export function parseAddress(network: Network, text: string): AccountAddress | undefined {
  return text.length > LONGEST ? undefined : networkSpecs[network].family.parseAddress(text);
}

/** Whether two spellings name the same account. A text that is no address equals nothing. */
export function isSameAddress(network: Network, one: string, other: string): boolean {
  const [first, second] = [parseAddress(network, one), parseAddress(network, other)];
  return first !== undefined && first.address === second?.address;
}

/** The address of an account with this 32-byte key, in its normal form. */
export function formatAddress(network: Network, key: Uint8Array): string {
  return networkSpecs[network].family.formatAddress(key);
}

/** The text of the error when a hash does not fit the network (interface 4.3). */
export function transactionHashFormat(network: Network): string {
  return networkSpecs[network].family.hashFormat;
}

/**
 * The one form in which a hash is stored, compared and claimed: trimmed; hexadecimal in lower case; base58 unchanged,
 * because its case carries data. `undefined` when the text is no transaction hash of the network.
 *
 * Source: interface 4.3; lengths of base58 forms from the networks' own validators (64 to 88 and 32 to 44 characters).
 */
export function normaliseTransactionHash(network: Network, text: string): string | undefined {
  return networkSpecs[network].family.normaliseHash(text.trim());
}
