import type { receiveCustodianNotification as contract } from '#shared/contracts/custodian-notification.ts';
import type { ReadNotification } from '#shared/custodian/custodian.ts';
import type { Deposits } from '#shared/dynamodb/deposits.ts';
import { signedBy } from '#shared/http/signed-by.ts';
import type { UseCase } from '#shared/http/use-case.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import type { SendDepositPoll } from '#shared/sqs/deposit-polls.ts';

interface Dependencies {
  readonly readNotification: ReadNotification;
  readonly deposits: Pick<Deposits, 'remember'>;
  readonly sendPoll: SendDepositPoll;
  readonly clock: Clock;
}

/**
 * Stores and queues a signed notification before it answers. A repeated one is queued again, so that what a first try
 * left half done is finished; whatever fails here answers 5xx, which makes the custodian send it again. What was stored and not queued is found by
 * the sweep all the same.
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
