import { type DepositPoll, isHashSearch } from '#shared/off-ramps/deposit-polls.ts';
import { describe, log } from '#shared/platform/logger.ts';

interface Polls {
  readonly matchDeposit: (poll: DepositPoll) => Promise<void>;
  readonly searchHash: (poll: DepositPoll) => Promise<void>;
}

/**
 * One poll of what stands in the deposits table. One that fails is reported and not tried again at once: the sweep hands
 * it out again when its message counts as lost, so that what can never be handled costs no more than that.
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
