import type { Deposit } from '#shared/off-ramps/model/deposit.ts';

/** Seconds after which the notification of a final transfer is late. */
const LATE_AFTER = 600;

/** Since when it is known as final. */
type Final = Pick<Deposit, 'notifiedAt' | 'creditedAt' | 'firstUnmatchedAt'>;

/**
 * When a final transfer that a poll or a report has found is polled once more, to see whether its notification has come
 * meanwhile, in seconds since 1970: of many that has not, the custodian notifies no more (decisions.md 12, Notifications).
 */
export function unnotifiedPollAt({ notifiedAt, creditedAt, firstUnmatchedAt }: Final): number | undefined {
  const since = creditedAt ?? firstUnmatchedAt;
  return notifiedAt !== undefined || since === undefined ? undefined : Date.parse(since) / 1000 + LATE_AFTER;
}

/** Whether this is that poll, and the notification has not come. */
export function isFoundLate(deposit: Final & Pick<Deposit, 'nextPollAt'>): boolean {
  const at = unnotifiedPollAt(deposit);
  return at !== undefined && deposit.nextPollAt === new Date(at * 1000).toISOString();
}
