import { isOpen, type Payin } from './payin.ts';

/** Milliseconds. */
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What is open by then is left to finance operations; what ended without money by then will not be paid any more. */
const PATIENCE = 30 * DAY;

/**
 * When the rail is asked for the payment again, if no notification comes first; `undefined` for no more. An open pay-in:
 * after pauses that grow with its age, from a minute to an hour. One that ended without money may still be paid: hourly,
 * and daily after the first day.
 */
export function nextPollAt({ status, statusHistory, createdAt }: Payin, now: Date): string | undefined {
  const age = now.getTime() - Date.parse(statusHistory.at(-1)?.at ?? createdAt);
  if (status === 'COMPLETED' || age >= PATIENCE) return undefined;
  const pauseAfterEnd = age < DAY ? HOUR : DAY;
  const pause = isOpen(status) ? Math.min(HOUR, Math.max(MINUTE, age / 2)) : pauseAfterEnd;
  return new Date(now.getTime() + pause).toISOString();
}
