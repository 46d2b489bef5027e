import { createHash } from 'node:crypto';
import { formatAddress } from '#shared/networks/address.ts';
import { networkSpecs } from '#shared/networks/network.ts';
import type { AssignDepositAddress } from '#shared/off-ramps/custodians/custodian.ts';

/**
 * A well-formed address that nobody has the key of, derived from the operation's id. On a network with tags one account
 * is everybody's, as a custodian has it, and the tag is the operation's own: a memo of 64 bits.
 */
export const simulatedDepositAddress: AssignDepositAddress = async ({ operationId, network }) => {
  const own = digest(`${network}:${operationId}`);
  return networkSpecs[network].family.hasTags
    ? { address: formatAddress(network, digest(network)), tag: own.readBigUInt64BE().toString() }
    : { address: formatAddress(network, own) };
};

const digest = (text: string) => createHash('sha256').update(text).digest();
