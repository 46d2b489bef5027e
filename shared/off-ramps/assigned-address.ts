import { parseAddress } from '#shared/networks/address.ts';
import type { CustodianTransfer } from './custodians/custodian-transfer.ts';
import type { ExpectedDeposit } from './off-ramp.ts';

/**
 * The text by which a deposit address is known to be assigned: its normal form and tag, without the network, because the
 * formats of the families are disjoint, and one custody account has the same address on every EVM network.
 */
export function assignedAddress({ network, address, addressTag }: ExpectedDeposit): string {
  const to = parseAddress(network, address);
  return withTag(to?.address ?? address, addressTag ?? to?.tag);
}

/**
 * The assigned addresses that a transfer can have been sent to: its own with its tag, and the one that asks for no tag.
 * None while the custodian does not know the address yet, or tells one that cannot be read.
 */
export function assignedAddressesOf({ network, toAddress, toTag }: CustodianTransfer): readonly string[] {
  const to = parseAddress(network, toAddress);
  if (to === undefined) return [];
  const tag = toTag || to.tag;
  return tag === undefined ? [to.address] : [withTag(to.address, tag), to.address];
}

function withTag(address: string, tag: string | undefined): string {
  return tag === undefined ? address : `${address}#${tag}`;
}
