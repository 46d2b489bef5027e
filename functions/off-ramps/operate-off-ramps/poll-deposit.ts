import type { pollDepositContract } from '#shared/off-ramps/contract/operator-commands.ts';
import { operationOf } from '#shared/off-ramps/model/deposit.ts';
import type { PollDepositNow } from '#shared/off-ramps/store/deposit-polls.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { Change } from '#shared/platform/operators/audited.ts';
import { noSuchTransfer } from './existing-deposit.ts';

/** Only sets the time of the next poll; the usual worker asks the custodian. */
export function pollDeposit(pollNow: PollDepositNow, clock: Clock): Change<typeof pollDepositContract> {
  return async ({ custodianTransferId }) => {
    const nextPollAt = clock.now().toISOString();
    const deposit = await pollNow(custodianTransferId, nextPollAt);
    if (deposit === undefined) throw noSuchTransfer();
    const { clientId, userId } = deposit;
    const operationId = operationOf(deposit);
    return {
      body: { custodianTransferId, operationId, nextPollAt },
      ids: { custodianTransferId, operationId, clientId, userId },
    };
  };
}
