import { operationOf } from '#shared/off-ramps/deposit.ts';
import type { pollDeposit as depositContract } from '#shared/off-ramps/deposit-commands.ts';
import type { PollDepositNow } from '#shared/off-ramps/poll-deposit-now.ts';
import { noPayin } from '#shared/operators/no-pay-in.ts';
import type { pollPayin as payinContract } from '#shared/pay-ins/pay-in-commands.ts';
import type { PollPayinNow } from '#shared/pay-ins/poll-pay-in-now.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import type { Change } from './audited.ts';

/** The custodian is asked by who asks it always: all that is written here is when. */
export function pollDeposit(pollNow: PollDepositNow, clock: Clock): Change<typeof depositContract> {
  return async ({ custodianTransferId }) => {
    const nextPollAt = clock.now().toISOString();
    const deposit = await pollNow(custodianTransferId, nextPollAt);
    if (deposit === undefined) {
      throw new ApiError('NOT_FOUND', { detail: 'The custodian has told of no transfer with this id.' });
    }
    const { clientId, userId } = deposit;
    const operationId = operationOf(deposit);
    return {
      body: { custodianTransferId, operationId, nextPollAt },
      ids: { custodianTransferId, operationId, clientId, userId },
    };
  };
}

/** The same of the rail. */
export function pollPayin(pollNow: PollPayinNow, clock: Clock): Change<typeof payinContract> {
  return async ({ payinId }) => {
    const nextPollAt = clock.now().toISOString();
    const payin = await pollNow(payinId, nextPollAt);
    if (payin === undefined) throw noPayin();
    const { clientId, userId } = payin;
    return { body: { payinId, nextPollAt }, ids: { payinId, clientId, userId } };
  };
}
