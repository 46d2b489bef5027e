import type {
  AskForTransfers,
  CustodianTransfer,
  FoundTransfer,
  UnreadableTransfer,
} from '#shared/off-ramps/custodians/custodian.ts';
import { type AskForTransfer, askOrLogOutage, searchStart } from '#shared/off-ramps/custodians/find-transfers.ts';
import { type Deposit, transferOf } from '#shared/off-ramps/model/deposit.ts';
import type { Clock } from '#shared/platform/clock.ts';

interface Asking {
  readonly findTransfers: AskForTransfers;
  readonly clock: Clock;
}

/** The question to the custodian, and the key of the polled item. */
type Question = Omit<Parameters<AskForTransfers>[0], 'since'> & Pick<Deposit, 'custodianTransferId'>;

/** Asks the custodian for the current transfers of a transaction. */
export function askCustodian(
  { findTransfers, clock }: Asking,
  { custodianTransferId, network, txHash, wasUnknown, isReported, reportedBy }: Question,
  notifiedAt: string,
) {
  const since = searchStart(notifiedAt);
  return askOrLogOutage(clock, { custodianTransferId }, () =>
    findTransfers({ network, txHash, since, wasUnknown, isReported, reportedBy }),
  );
}

/** The deposit's transfer as the custodian has it now; `OTHERS_FOUND` if the transaction has only others. */
export type ReadableAnswer = CustodianTransfer | 'NOT_FOUND' | 'OTHERS_FOUND' | 'NO_ANSWER';

type Answer = ReadableAnswer | UnreadableTransfer;

interface Answered {
  readonly answer: Answer;
  /** Further transfers of its transaction. */
  readonly others: readonly FoundTransfer[];
  /** The custodian is not asked again before this time, in seconds since 1970; 0 without one. */
  readonly notBefore: number;
}

export interface DepositDependencies extends Asking {
  readonly findTransfer: AskForTransfer;
}

/**
 * Asks for a deposit by its hash and, if that finds nothing, by its id: a search by hash may lag, and does not show a
 * transfer that is gone.
 */
export async function askForDeposit(asking: DepositDependencies, deposit: Deposit): Promise<Answered> {
  const { custodianTransferId, network, txHash } = deposit;
  const isOwn = (one: FoundTransfer) => one.custodianTransferId === custodianTransferId;
  const found = await askCustodian(asking, deposit, deposit.firstNotifiedAt);
  if (found.transfers === undefined) return { answer: 'NO_ANSWER', others: [], notBefore: found.notBefore };
  const others = found.transfers.filter((one) => !isOwn(one));
  const own = found.transfers.find(isOwn);
  if (own !== undefined) return { answer: own, others, notBefore: found.notBefore };
  const { transfers, notBefore } = await askOrLogOutage(asking.clock, { custodianTransferId }, async () => {
    const one = await asking.findTransfer({ custodianTransferId, seen: transferOf(deposit) });
    if (one === undefined) return [];
    return ['unreadableFields' in one ? { ...one, custodianTransferId, network, txHash, state: 'UNREADABLE' } : one];
  });
  if (transfers === undefined) return { answer: 'NO_ANSWER', others, notBefore };
  return { answer: transfers[0] ?? (others.length > 0 ? 'OTHERS_FOUND' : 'NOT_FOUND'), others, notBefore };
}
