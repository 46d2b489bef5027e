import type { NotifiedTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import type { receiveCustodianNotificationContract } from '#shared/off-ramps/custodians/custodian-notification-contract.ts';
import type { UnreadableNotification as Unreadable } from '#shared/off-ramps/custodians/normal-form.ts';
import type { ReadNotification } from '#shared/off-ramps/custodians/read-notification.ts';
import type { SendDepositPoll } from '#shared/off-ramps/store/deposit-polls.ts';
import type { Deposits } from '#shared/off-ramps/store/deposit-repository.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { signedBy } from '#shared/platform/http/signed-by.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { log } from '#shared/platform/logger.ts';

interface Dependencies {
  readonly readNotification: ReadNotification;
  readonly deposits: Pick<Deposits, 'find' | 'remember' | 'rememberUnreadable'>;
  readonly sendPoll: SendDepositPoll;
  readonly clock: Clock;
}

/**
 * Stores and queues a signed notification before it answers. A repeated one is queued again, so that the work of a
 * first try that broke off is finished. Any failure answers 5xx, and the custodian sends it again. The sweep finds a
 * notification that was stored but not queued. An unreadable notification is not lost: its transfer is looked up if its
 * id is known, otherwise operators find it.
 */
export function receiveCustodianNotification(deps: Dependencies): UseCase<typeof receiveCustodianNotificationContract> {
  return async ({ bytes, http }) => {
    const notification = { rawBody: bytes(), headers: http.headers };
    const read = await signedBy('custodian', deps.readNotification(notification));
    const transfer = read && ('txHash' in read ? read : await known(deps, read));
    if (transfer !== undefined) {
      await deps.sendPoll(await deps.deposits.remember(transfer, deps.clock.now()), 0);
    }
    return {
      body: { received: transfer !== undefined },
      ids: { custodianTransferId: transfer?.custodianTransferId },
    };
  };
}

/** Seconds: time for a person to look. */
const SENT_AGAIN_AFTER = 60;

/** The stored transfer of an unreadable notification. @throws {ApiError} when it is unknown */
async function known({ deposits, clock }: Dependencies, unreadable: Unreadable): Promise<NotifiedTransfer> {
  const { custodianTransferId, unreadableFields: fields } = unreadable;
  log.error('NOTIFICATION_UNREADABLE', { custodianTransferId, fields });
  if (custodianTransferId !== undefined) {
    const deposit = await deposits.find(custodianTransferId);
    if (deposit !== undefined) return deposit;
    await deposits.rememberUnreadable(custodianTransferId, fields, clock.now());
  }
  throw new ApiError(apiErrors.SERVICE_UNAVAILABLE, { retryAfterSeconds: SENT_AGAIN_AFTER });
}
