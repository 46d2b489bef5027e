import { normaliseTransactionHash } from '#shared/networks/transaction-hash.ts';
import type { NotifiedTransfer } from './custodian-transfer.ts';

/**
 * A custodian may spell hashes in its own way; the service has one normal form, so that a declared hash equals the one
 * that funds the operation. The same id of two custodians is two transfers: inside the service, the id begins with the
 * name of its custodian. Transfers and notifications from a custodian's adapter both pass through here.
 *
 * @throws when it is no hash of its network: it cannot be compared, so it must neither be credited nor silently
 * dropped.
 */
export function inNormalForm<Transfer extends NotifiedTransfer>(custodian: string, transfer: Transfer): Transfer {
  const txHash = normaliseTransactionHash(transfer.network, transfer.txHash);
  const custodianTransferId = `${custodian}:${transfer.custodianTransferId}`;
  if (txHash !== undefined) return { ...transfer, custodianTransferId, txHash };
  throw new Error(`The custodian reports a transfer whose hash is not a transaction hash of ${transfer.network}.`);
}
