import { isMismatched, isOpen, type Payin } from './pay-in.ts';

/** Milliseconds. */
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * A pay-in that is open so long after its creation and its `expirationDate` is left to finance operations. One that
 * ended without money so long ago will not be paid any more.
 */
const POLLED_FOR = 30 * DAY;

/** After money has come as it was ordered: a rail that takes it back may not say so. */
const AFTER_COMPLETION = [HOUR, DAY];

/** The same of money that was not all there in between. */
const AFTER_RETURN = [MINUTE, ...AFTER_COMPLETION];

/**
 * When the rail is asked for the payment again, if no notification comes first; `undefined` for no more. An open pay-in:
 * after pauses that grow with its age, from a minute to an hour. One that ended without money may still be paid, and of one
 * that is completed something else may be there than what was ordered: hourly. Each of them daily after the first day. One that is completed as it was ordered: after an hour and after a day.
 */
export function nextPollAt(payin: Payin, now: Date): string | undefined {
  const pause = pauseOf(payin, now);
  return pause === undefined ? undefined : new Date(now.getTime() + pause).toISOString();
}

/** The same after a poll that failed: what it would have been the last to find is asked for once more each day. */
export function nextTryAt(payin: Payin, now: Date): string | undefined {
  const pause = pauseOf(payin, now) ?? (now.getTime() - lastChangeOf(payin) < POLLED_FOR ? DAY : undefined);
  return pause === undefined ? undefined : new Date(now.getTime() + pause).toISOString();
}

function pauseOf(payin: Payin, now: Date): number | undefined {
  const { status, expirationDate } = payin;
  const sinceChange = now.getTime() - lastChangeOf(payin);
  if (status === 'COMPLETED' && !isMismatched(payin)) {
    const polls = payin.wholeSince === undefined ? AFTER_COMPLETION : AFTER_RETURN;
    const next = polls.find((after) => after > sinceChange);
    return next === undefined ? undefined : next - sinceChange;
  }
  const sinceExpiry =
    isOpen(status) && expirationDate !== undefined ? now.getTime() - Date.parse(expirationDate) : POLLED_FOR;
  if (Math.min(sinceChange, sinceExpiry) >= POLLED_FOR) return undefined;
  if (sinceChange >= DAY) return DAY;
  // What it said last may be taken back by an answer that came later than a newer one.
  if (status === 'COMPLETED' && sinceChange < MINUTE) return MINUTE;
  return isOpen(status) ? Math.min(HOUR, Math.max(MINUTE, sinceChange / 2)) : HOUR;
}

/** Milliseconds since 1970: since when it is as it is. Pay-ins of before `moneyAt` say it by what they have. */
function lastChangeOf(payin: Payin): number {
  const { status, statusHistory, createdAt, moneyAt, reversedAt, wholeSince, settlementMismatch } = payin;
  const statusSince = statusHistory.at(-1)?.at ?? createdAt;
  const ofMoney = status === 'COMPLETED' ? [moneyAt, reversedAt, wholeSince, settlementMismatch?.at] : [];
  return Math.max(...[statusSince, ...ofMoney].map((at) => (at === undefined ? 0 : Date.parse(at))));
}
