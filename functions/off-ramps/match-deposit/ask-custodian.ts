import type { Network } from '#shared/networks/network.ts';
import { type AskForTransfers, CustodianUnavailable } from '#shared/off-ramps/custodians/custodian.ts';
import type {
  CustodianTransfer,
  FoundTransfer,
  UnreadableTransfer,
} from '#shared/off-ramps/custodians/custodian-transfer.ts';
import { notBefore } from '#shared/off-ramps/custodians/find-transfers.ts';
import type { Deposit } from '#shared/off-ramps/model/deposit.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { describe, log } from '#shared/platform/logger.ts';

/** Milliseconds. How far before its notification a transfer can have been made: custodians send again for a month. */
const SEARCHED_BEFORE = 31 * 24 * 3600 * 1000;

export interface Asking {
  readonly findTransfers: AskForTransfers;
  readonly clock: Clock;
}

interface Question {
  /** Key of what is polled. */
  readonly custodianTransferId: string;
  readonly network: Network;
  readonly txHash: string;
}

interface Asked {
  /** `undefined` when the custodian does not answer. */
  readonly transfers: readonly FoundTransfer[] | undefined;
  /** Seconds since 1970 before which it is not asked again; 0 when it says nothing of it. */
  readonly notBefore: number;
}

/** The transfers of a transaction as the custodian has them now. */
export async function askCustodian(
  { findTransfers, clock }: Asking,
  { custodianTransferId, network, txHash }: Question,
  notifiedAt: string,
): Promise<Asked> {
  const since = new Date(Date.parse(notifiedAt) - SEARCHED_BEFORE).toISOString();
  try {
    return { transfers: await findTransfers({ network, txHash, since }), notBefore: 0 };
  } catch (error) {
    if (!(error instanceof CustodianUnavailable)) throw error;
    log.warn('CUSTODIAN_UNAVAILABLE', { custodianTransferId, cause: describe(error) });
    return { transfers: undefined, notBefore: notBefore(error, clock.now()) };
  }
}

/** The transfer of a deposit as the custodian has it now; `OTHERS_FOUND` when it has only others of the transaction. */
export type ReadableAnswer = CustodianTransfer | 'NOT_FOUND' | 'OTHERS_FOUND' | 'NO_ANSWER';

type Answer = ReadableAnswer | UnreadableTransfer;

interface Answered extends Pick<Asked, 'notBefore'> {
  readonly answer: Answer;
  /** Further transfers of its transaction. */
  readonly others: readonly FoundTransfer[];
}

export async function askForDeposit(asking: Asking, deposit: Deposit): Promise<Answered> {
  const { transfers, notBefore } = await askCustodian(asking, deposit, deposit.firstNotifiedAt);
  if (transfers === undefined) return { answer: 'NO_ANSWER', others: [], notBefore };
  const own = transfers.find((one) => one.custodianTransferId === deposit.custodianTransferId);
  const others = transfers.filter((one) => one.custodianTransferId !== deposit.custodianTransferId);
  return { answer: own ?? (others.length > 0 ? 'OTHERS_FOUND' : 'NOT_FOUND'), others, notBefore };
}
