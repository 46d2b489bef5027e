import type { FoundTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import type { Deposit } from '#shared/off-ramps/model/deposit.ts';
import type { SendDepositPoll } from '#shared/off-ramps/store/deposit-polls.ts';
import type { Deposits } from '#shared/off-ramps/store/deposit-repository.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { log } from '#shared/platform/logger.ts';

interface Dependencies {
  readonly deposits: Pick<Deposits, 'notFoundSince' | 'rememberFound'>;
  readonly sendPoll: SendDepositPoll;
  readonly clock: Clock;
}

/** Anybody can send thousands of transfers in one transaction, and each remembered one remembers as many. */
const MOST_REMEMBERED = 50;

/**
 * A custodian may notify one record of a transaction that has several transfers with other ids. Each of these is
 * handled like a notified one, once per notification, and takes its time. So transfers of one transaction, which find
 * each other, do not go round for ever.
 */
export async function rememberOthers(
  { deposits, sendPoll, clock }: Dependencies,
  { lastNotifiedAt, isNotified }: Deposit,
  others: readonly FoundTransfer[],
): Promise<void> {
  const unknown = await deposits.notFoundSince(lastNotifiedAt, others);
  for (const transfer of unknown.slice(0, MOST_REMEMBERED)) {
    const found = { at: lastNotifiedAt, isNotified };
    const poll = await deposits.rememberFound(lastNotifiedAt, transfer, clock.now(), found);
    if (poll === undefined) continue;
    await sendPoll(poll, 0);
    const { custodianTransferId, txHash } = transfer;
    log.info('DEPOSIT_FOUND_BESIDE_ANOTHER', { custodianTransferId, txHash });
  }
}
