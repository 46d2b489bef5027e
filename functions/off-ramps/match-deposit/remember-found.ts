import type { FoundTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import type { Deposit } from '#shared/off-ramps/model/deposit.ts';
import type { SendDepositPoll } from '#shared/off-ramps/store/deposit-polls.ts';
import type { Deposits, Found } from '#shared/off-ramps/store/deposit-repository.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { log } from '#shared/platform/logger.ts';

interface Dependencies {
  readonly deposits: Pick<Deposits, 'newsSince' | 'rememberFound'>;
  readonly sendPoll: SendDepositPoll;
  readonly clock: Clock;
}

/** A limit per poll: anybody can send thousands of transfers in one transaction, and each stored one stores as many. */
const MOST_REMEMBERED = 50;

/**
 * Stores the other transfers of a deposit's transaction, because a custodian may notify only one of them. Each is
 * handled like a notified one, once per notification with news of it, and takes the time of that notification. So
 * transfers of one transaction, which find each other, do not cause endless polls, and a transaction of sixty transfers
 * does not cause sixty times sixty questions.
 */
export async function rememberOthers(
  deps: Dependencies,
  { lastNotifiedAt, isNotified }: Deposit,
  others: readonly FoundTransfer[],
): Promise<void> {
  const found = { at: lastNotifiedAt, isNotified };
  const unknown = await deps.deposits.newsSince(found, others);
  await rememberEach(deps, 'DEPOSIT_FOUND_BESIDE_ANOTHER', unknown.slice(0, MOST_REMEMBERED), lastNotifiedAt, found);
}

/** Stores each transfer as a deposit and polls it at once, unless it was notified or found since the given time. */
export async function rememberEach(
  {
    deposits,
    sendPoll,
    clock,
  }: Omit<Dependencies, 'deposits'> & { readonly deposits: Pick<Deposits, 'rememberFound'> },
  code: 'DEPOSIT_FOUND_BESIDE_ANOTHER' | 'DEPOSIT_FOUND_BY_HASH',
  transfers: readonly FoundTransfer[],
  since: string,
  found: Found,
): Promise<void> {
  for (const transfer of transfers) {
    const poll = await deposits.rememberFound(since, transfer, clock.now(), found);
    if (poll === undefined) continue;
    await sendPoll(poll, 0);
    const { custodianTransferId, txHash } = transfer;
    log.info(code, { custodianTransferId, txHash });
  }
}
