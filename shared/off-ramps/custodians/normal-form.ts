import type { Network } from '#shared/networks/network.ts';
import { normaliseTransactionHash } from '#shared/networks/transaction-hash.ts';
import type { FindTransfers, ReadNotification } from './custodian.ts';

/**
 * A custodian spells hashes as it likes; inside there is one spelling, in which the hash that a client declared and the
 * one that funds its operation meet. Both ways in from a custodian's adapter lead through here.
 */

export function transfersInNormalForm(findTransfers: FindTransfers): FindTransfers {
  return async (query) => (await findTransfers(query)).map(inNormalForm);
}

export function notificationsInNormalForm(readNotification: ReadNotification): ReadNotification {
  return async (notification) => {
    const transfer = await readNotification(notification);
    return transfer && inNormalForm(transfer);
  };
}

/** @throws when it is no hash of its network: what cannot be compared must not be credited, nor silently dropped. */
function inNormalForm<Transfer extends { readonly network: Network; readonly txHash: string }>(
  transfer: Transfer,
): Transfer {
  const txHash = normaliseTransactionHash(transfer.network, transfer.txHash);
  if (txHash !== undefined) return { ...transfer, txHash };
  throw new Error(`The custodian reports a transfer whose hash is not a transaction hash of ${transfer.network}.`);
}
