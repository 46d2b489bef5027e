import { type Network, networkSpecs } from './network.ts';

/** The text of the error when a hash does not fit the network (interface 4.3). */
export function transactionHashFormat(network: Network): string {
  return networkSpecs[network].family.hashFormat;
}

/**
 * The one form in which a hash is stored, compared and claimed: trimmed; hexadecimal in lower case; base58 as it came,
 * because there the case carries data. `undefined` when the text is no transaction hash of the network.
 *
 * Source: interface 4.3; lengths of base58 forms from the networks' own validators (64 to 88 and 32 to 44 characters).
 */
export function normaliseTransactionHash(network: Network, text: string): string | undefined {
  return networkSpecs[network].family.normaliseHash(text.trim());
}
