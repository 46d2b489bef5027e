import { createHash } from 'node:crypto';
import { formatAddress } from '#shared/networks/address.ts';
import type { AssignDepositAddress } from '#shared/off-ramps/custodians/custodian.ts';

/** A well-formed address that nobody has the key of, derived from the operation's id. */
export const simulatedDepositAddress: AssignDepositAddress = async ({ operationId, network }) => ({
  address: formatAddress(network, createHash('sha256').update(`${network}:${operationId}`).digest()),
});
