import { isOpen, type Payin } from './pay-in.ts';

/** Milliseconds. */
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * A pay-in that is open so long after its creation and its `expirationDate` is left to finance operations. One that
 * ended without money so long ago will not be paid any more.
 */
const POLLED_FOR = 30 * DAY;

/**
 * When the rail is asked for the payment again, if no notification comes first; `undefined` for no more. An open pay-in:
 * after pauses that grow with its age, from a minute to an hour; daily once it is so old and still to be paid. One that
 * ended without money may still be paid: hourly, and daily after the first day.
 */
export function nextPollAt({ status, statusHistory, createdAt, expirationDate }: Payin, now: Date): string | undefined {
  const sinceChange = now.getTime() - Date.parse(statusHistory.at(-1)?.at ?? createdAt);
  const sinceExpiry =
    isOpen(status) && expirationDate !== undefined ? now.getTime() - Date.parse(expirationDate) : POLLED_FOR;
  if (status === 'COMPLETED' || Math.min(sinceChange, sinceExpiry) >= POLLED_FOR) return undefined;
  const growing = Math.min(HOUR, Math.max(MINUTE, sinceChange / 2));
  const steady = sinceChange < DAY ? HOUR : DAY;
  const pause = isOpen(status) && sinceChange < POLLED_FOR ? growing : steady;
  return new Date(now.getTime() + pause).toISOString();
}
