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

/** Anybody can send thousands of transfers in one transaction, and each remembered one remembers as many. */
const MOST_REMEMBERED = 50;

/**
 * A custodian may notify one record of a transaction that has several transfers with other ids. Each of these is
 * handled like a notified one, once per notification that has news of it, and takes its time. So transfers of one
 * transaction, which find each other, do not go round for ever, and sixty that are told one after another are not sixty
 * times sixty questions.
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

/** Each is a deposit from now on and polled at once, unless it was notified or found since the given time. */
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
