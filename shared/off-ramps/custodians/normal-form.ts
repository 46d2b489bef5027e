import { normaliseTransactionHash } from '#shared/networks/transaction-hash.ts';
import type { NotifiedTransfer } from './custodian-transfer.ts';

/**
 * A custodian spells hashes as it likes; inside there is one spelling, in which the hash that a client declared and the
 * one that funds its operation meet. Both ways in from a custodian's adapter lead through here.
 *
 * @throws when it is no hash of its network: what cannot be compared must not be credited, nor silently dropped.
 */
export function inNormalForm<Transfer extends Pick<NotifiedTransfer, 'network' | 'txHash'>>(
  transfer: Transfer,
): Transfer {
  const txHash = normaliseTransactionHash(transfer.network, transfer.txHash);
  if (txHash !== undefined) return { ...transfer, txHash };
  throw new Error(`The custodian reports a transfer whose hash is not a transaction hash of ${transfer.network}.`);
}
