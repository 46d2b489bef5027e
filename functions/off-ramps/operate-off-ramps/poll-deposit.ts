import type { Network } from '#shared/networks/network.ts';
import type { pollDepositContract } from '#shared/off-ramps/contract/operator-commands.ts';
import { isIdOf } from '#shared/off-ramps/custodians/normal-form.ts';
import { operationOf } from '#shared/off-ramps/model/deposit.ts';
import type { PollDepositNow } from '#shared/off-ramps/store/deposit-polls.ts';
import type { FindDeposit } from '#shared/off-ramps/store/deposit-repository.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { Change } from '#shared/platform/operators/audited.ts';
import { findExistingDeposit, noSuchTransfer, statusConflict } from './existing-deposit.ts';

interface Dependencies {
  readonly findDeposit: FindDeposit;
  readonly pollNow: PollDepositNow;
  /** Networks that have a custodian in the settings, and the names of these custodians. */
  readonly networks: readonly Network[];
  readonly custodianNames: readonly string[];
  readonly clock: Clock;
}

/** Only sets the time of the next poll; the usual worker asks the custodian, if the settings still have it. */
export function pollDeposit(deps: Dependencies): Change<typeof pollDepositContract> {
  return async ({ custodianTransferId }) => {
    const { network } = await findExistingDeposit(deps, custodianTransferId);
    const isServed =
      deps.networks.includes(network) && deps.custodianNames.some((name) => isIdOf(name, custodianTransferId));
    if (!isServed)
      throw statusConflict(
        `No custodian here answers for it on ${network}: put its custodian back into the settings of the stage.`,
      );
    const nextPollAt = deps.clock.now().toISOString();
    const deposit = await deps.pollNow(custodianTransferId, nextPollAt);
    if (deposit === undefined) throw noSuchTransfer();
    const { clientId, userId } = deposit;
    const operationId = operationOf(deposit);
    return {
      body: { custodianTransferId, operationId, nextPollAt },
      ids: { custodianTransferId, operationId, clientId, userId },
    };
  };
}
