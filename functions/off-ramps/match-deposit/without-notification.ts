import { isIdOf } from '#shared/off-ramps/custodians/normal-form.ts';
import type { Deposit } from '#shared/off-ramps/model/deposit.ts';

/** Seconds after which the notification of a final transfer is late. */
const LATE_AFTER = 600;

/** The fields that say when the transfer became final for this service. */
type Final = Pick<Deposit, 'custodianTransferId' | 'isNotified' | 'creditedAt' | 'firstUnmatchedAt'>;

/**
 * The time of one more poll, in seconds since 1970, of a final transfer that a poll or a report found. If its
 * notification is still missing then, the custodian may have stopped notifying (decisions.md 12, Notifications).
 */
export function unnotifiedPollAt({
  custodianTransferId,
  isNotified,
  creditedAt,
  firstUnmatchedAt,
}: Final): number | undefined {
  // A chain sends no notifications.
  if (isIdOf('evm', custodianTransferId)) return undefined;
  const since = creditedAt ?? firstUnmatchedAt;
  return isNotified || since === undefined ? undefined : Date.parse(since) / 1000 + LATE_AFTER;
}

/** True if this is the poll of `unnotifiedPollAt`, and the notification is still missing. */
export function isFoundLate(deposit: Final & Pick<Deposit, 'nextPollAt'>): boolean {
  const at = unnotifiedPollAt(deposit);
  return at !== undefined && deposit.nextPollAt === new Date(at * 1000).toISOString();
}
