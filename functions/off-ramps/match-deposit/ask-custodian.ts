import type { Network } from '#shared/networks/network.ts';
import { CustodianUnavailable, type FindTransfers } from '#shared/off-ramps/custodians/custodian.ts';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian-transfer.ts';
import type { Deposit } from '#shared/off-ramps/deposit.ts';
import { describe, log } from '#shared/platform/logger.ts';

/** Milliseconds. How far before its notification a transfer can have been made: custodians send again for a month. */
const SEARCHED_BEFORE = 31 * 24 * 3600 * 1000;

interface Question {
  /** Key of what is polled. */
  readonly custodianTransferId: string;
  readonly network: Network;
  readonly txHash: string;
}

/** The transfers of a transaction as the custodian has them now; `undefined` when it does not answer. */
export async function askCustodian(
  findTransfers: FindTransfers,
  { custodianTransferId, network, txHash }: Question,
  notifiedAt: string,
): Promise<readonly CustodianTransfer[] | undefined> {
  const since = new Date(Date.parse(notifiedAt) - SEARCHED_BEFORE).toISOString();
  try {
    return await findTransfers({ network, txHash, since });
  } catch (error) {
    if (!(error instanceof CustodianUnavailable)) throw error;
    log.warn('CUSTODIAN_UNAVAILABLE', { custodianTransferId, cause: describe(error) });
    return undefined;
  }
}

/** The transfer of a deposit as the custodian has it now. */
export type Answer = CustodianTransfer | 'NOT_FOUND' | 'NO_ANSWER';

export async function askForDeposit(findTransfers: FindTransfers, deposit: Deposit): Promise<Answer> {
  const transfers = await askCustodian(findTransfers, deposit, deposit.firstNotifiedAt);
  if (transfers === undefined) return 'NO_ANSWER';
  return transfers.find((one) => one.custodianTransferId === deposit.custodianTransferId) ?? 'NOT_FOUND';
}
