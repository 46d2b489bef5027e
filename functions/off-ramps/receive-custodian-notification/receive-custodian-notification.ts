import type { ReadNotification } from '#shared/off-ramps/custodians/custodian.ts';
import type { receiveCustodianNotification as contract } from '#shared/off-ramps/custodians/custodian-notification-contract.ts';
import type { SendDepositPoll } from '#shared/off-ramps/deposit-poll-messages.ts';
import type { Deposits } from '#shared/off-ramps/deposit-store.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { signedBy } from '#shared/platform/http/signed-by.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';

interface Dependencies {
  readonly readNotification: ReadNotification;
  readonly deposits: Pick<Deposits, 'remember'>;
  readonly sendPoll: SendDepositPoll;
  readonly clock: Clock;
}

/**
 * Stores and queues a signed notification before it answers. A repeated one is queued again, so that the work of a
 * first try that broke off is finished. Any failure answers 5xx, which makes the custodian send it again. The sweep
 * finds a notification that was stored and not queued.
 */
export function receiveCustodianNotification(deps: Dependencies): UseCase<typeof contract> {
  return async ({ bytes, http }) => {
    const notification = { rawBody: bytes(), headers: http.headers };
    const transfer = await signedBy('custodian', deps.readNotification(notification));
    if (transfer !== undefined) {
      await deps.sendPoll(await deps.deposits.remember(transfer, deps.clock.now()), 0);
    }
    return {
      body: { received: transfer !== undefined },
      ids: { custodianTransferId: transfer?.custodianTransferId },
    };
  };
}
