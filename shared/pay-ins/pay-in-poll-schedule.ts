import { isMismatched, isOpen, type Payin } from './pay-in.ts';

/** Milliseconds. */
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The first poll after the creation. Payers take about this long; a notification after it counts as late. */
const FIRST = 2 * MINUTE;

/**
 * Polling stops this long after the creation and the `expirationDate` of an open pay-in, which is then left to finance
 * operations (settle-open-payins), and this long after the end of an ended one, which will not be paid any more.
 */
const POLLED_FOR = 30 * DAY;

/**
 * From this age on, the rail's daily list reports what is new. The list cannot report that the rail does not know a
 * payment: the poll at this age, an hour after the first day, ends such a pay-in (`payinOutcome`).
 */
const LISTED_FROM = DAY + HOUR;

/** By this age the list has been read once more than by `LISTED_FROM`, even if that reading was late. */
const LISTED_AGAIN = 2 * DAY;

/** After the ordered amount has arrived: a rail may take it back without a notification. Later the list reports it. */
const AFTER_COMPLETION = [HOUR];

/**
 * After the ordered amount has arrived for a pay-in that had ended. If the money goes again before the list is read,
 * the list is the same as the day before, when the pay-in agreed with it, and is not compared (reconcile-payments).
 */
const AFTER_END = [...AFTER_COMPLETION, LISTED_FROM, LISTED_AGAIN];

/** After the ordered amount has arrived in place of another one. */
const AFTER_RETURN = [MINUTE, ...AFTER_END];

/**
 * Returns when to poll the rail next if no notification comes first; `undefined` for never.
 * - An open pay-in: from two minutes on, each time its age has doubled, for a day.
 * - An ended one, which may still be paid: after an hour.
 * - A completed one with another amount: after a minute, hourly for a day, and after two days.
 * - Each of these once more after 30 days: in between, the rail's list is read daily.
 * - A completed one with the ordered amount: after an hour, and after one and two days if the rail had said otherwise.
 * - One that is not completed, after a wrong amount has come, changed or gone: after an hour, one day and two days.
 */
export function nextPollAt(payin: Payin, now: Date): string | undefined {
  const pause = pauseOf(payin, now);
  return pause === undefined ? undefined : new Date(now.getTime() + pause).toISOString();
}

/**
 * Like `nextPollAt`, after a failed poll: within an hour, after the first day within a day. Within 30 days of the last
 * change a failed poll is repeated even if no other one follows it.
 */
export function nextPollAfterFailure(payin: Payin, now: Date): string | undefined {
  const sinceChange = now.getTime() - lastChangeOf(payin);
  const pause = pauseOf(payin, now) ?? (sinceChange < POLLED_FOR ? DAY : undefined);
  if (pause === undefined) return undefined;
  return new Date(now.getTime() + Math.min(pause, sinceChange < LISTED_FROM ? HOUR : DAY)).toISOString();
}

function pauseOf(payin: Payin, now: Date): number | undefined {
  const { status, moneyAt } = payin;
  const sinceChange = now.getTime() - lastChangeOf(payin);
  if (status === 'COMPLETED')
    return isMismatched(payin) ? pauseOfMismatch(sinceChange) : untilNext(pollsAfterMoney(payin), sinceChange);
  // The list does not show a wrong amount that has come and gone between two readings: it is the same as before.
  const ofMoney = moneyAt === undefined ? undefined : untilNext(AFTER_END, now.getTime() - Date.parse(moneyAt));
  const pauses = [ofMoney, pauseOfOrder(payin, now), pauseOfUnpaid(payin, sinceChange, now)].filter(
    (pause) => pause !== undefined,
  );
  return pauses.length === 0 ? undefined : Math.min(...pauses);
}

/** For an open pay-in that was ordered so late that no poll of its first day can end it as unknown to the rail. */
function pauseOfOrder({ status, orderingSince }: Payin, now: Date): number | undefined {
  if (!isOpen(status) || orderingSince === undefined) return undefined;
  const sinceOrder = now.getTime() - Date.parse(orderingSince);
  return sinceOrder > DAY ? undefined : LISTED_FROM - sinceOrder;
}

/** For a pay-in that is open, or has ended without money. */
function pauseOfUnpaid({ status, expirationDate }: Payin, sinceChange: number, now: Date): number | undefined {
  const sinceExpiry =
    isOpen(status) && expirationDate !== undefined ? now.getTime() - Date.parse(expirationDate) : POLLED_FOR;
  if (Math.min(sinceChange, sinceExpiry) >= POLLED_FOR) return undefined;
  // The list reports everything that is new about an ended pay-in.
  if (sinceChange >= (isOpen(status) ? LISTED_FROM : HOUR)) return POLLED_FOR - Math.min(sinceChange, sinceExpiry);
  if (!isOpen(status)) return HOUR - sinceChange;
  // The last of these polls is at `LISTED_FROM`. Before the first one, most payers have paid and the rail has notified.
  return Math.max(FIRST, Math.min(sinceChange, LISTED_FROM - sinceChange));
}

/** For a completed pay-in with another amount. */
function pauseOfMismatch(sinceChange: number): number | undefined {
  if (sinceChange >= LISTED_FROM) return untilNext([LISTED_AGAIN, POLLED_FOR], sinceChange);
  // The amount may come from an older answer of the rail that arrived late.
  return sinceChange < MINUTE ? MINUTE : HOUR;
}

function untilNext(polls: readonly number[], sinceChange: number): number | undefined {
  const next = polls.find((after) => after > sinceChange);
  return next === undefined ? undefined : next - sinceChange;
}

function pollsAfterMoney({ wholeSince, statusHistory }: Payin): readonly number[] {
  if (wholeSince !== undefined) return AFTER_RETURN;
  const hadEnded = statusHistory.some(({ status }) => status === 'FAILED' || status === 'EXPIRED');
  return hadEnded ? AFTER_END : AFTER_COMPLETION;
}

/** Milliseconds since 1970: the time of the last change of the money. */
function lastChangeOf(payin: Payin): number {
  const { status, statusHistory, createdAt, moneyAt, reversedAt, wholeSince, settlementMismatch } = payin;
  const statusSince = statusHistory.at(-1)?.at ?? createdAt;
  const ofMoney = status === 'COMPLETED' ? [moneyAt, reversedAt, wholeSince, settlementMismatch?.at] : [];
  return Math.max(...[statusSince, ...ofMoney].map((at) => (at === undefined ? 0 : Date.parse(at))));
}
