import { type DepositPoll, isHashSearch } from '#shared/off-ramps/store/deposit-polls.ts';
import { describe, log } from '#shared/platform/logger.ts';

interface Polls {
  readonly matchDeposit: (poll: DepositPoll) => Promise<void>;
  readonly searchHash: (poll: DepositPoll) => Promise<void>;
}

/**
 * Polls one item of the deposits table. A failure is logged and not retried at once: the sweep sends the message again
 * when it counts as lost. So an item that can never be handled costs little.
 */
export function poll({ matchDeposit, searchHash }: Polls) {
  return async (due: DepositPoll): Promise<void> => {
    try {
      await (isHashSearch(due.custodianTransferId) ? searchHash(due) : matchDeposit(due));
    } catch (error) {
      log.error('DEPOSIT_NOT_POLLED', { custodianTransferId: due.custodianTransferId, cause: describe(error) });
    }
  };
}
