import { isMismatched, isOpen, type Payin } from './pay-in.ts';

/** Milliseconds. */
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** After the creation. A payer takes about as long, and from then on a notification counts as late. */
const FIRST = 2 * MINUTE;

/**
 * This long after its creation and its `expirationDate` an open pay-in is left to finance operations, and an ended one
 * will not be paid any more.
 */
const POLLED_FOR = 30 * DAY;

/**
 * From then on the daily list of the rail says what is new. A poll that is made after the first day, not at its end, has
 * ended what the rail does not know by then: the list cannot say so.
 */
const LISTED_FROM = DAY + HOUR;

/** By then the list has been read once more than by `LISTED_FROM`, however late that was. */
const LISTED_AGAIN = 2 * DAY;

/** After the ordered money has arrived: a rail may take it back without a notification. Later the list says so. */
const AFTER_COMPLETION = [HOUR];

/**
 * The same after the rail has ended the payment: when the money goes before the list is read, the list says what it said
 * the day before, to which the pay-in agreed then, and is not compared (reconcile-payments).
 */
const AFTER_END = [...AFTER_COMPLETION, LISTED_FROM, LISTED_AGAIN];

/** The same after the rail had another amount in between. */
const AFTER_RETURN = [MINUTE, ...AFTER_END];

/**
 * When to poll the rail again, if no notification comes first; `undefined` for never. An open pay-in: when twice as much
 * time has passed, from two minutes on, for a day. An ended one may still be paid: after an hour. A completed one may have
 * another amount: hourly, for a day, and after two. Each of these once more, at the end: in between the rail's list is
 * read daily. A completed one with the ordered amount: after an hour, and after one and two days if the rail had said
 * otherwise; so is one that is not completed after another amount has come, changed or gone.
 */
export function nextPollAt(payin: Payin, now: Date): string | undefined {
  const pause = pauseOf(payin, now);
  return pause === undefined ? undefined : new Date(now.getTime() + pause).toISOString();
}

/** The same after a failed poll, which is repeated within an hour, after the first day daily, even if it was the last one. */
export function nextTryAt(payin: Payin, now: Date): string | undefined {
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
  // The list may miss another amount that has come and gone, too: it then says what it said before.
  const ofMoney = moneyAt === undefined ? undefined : untilNext(AFTER_END, now.getTime() - Date.parse(moneyAt));
  const pauses = [ofMoney, pauseOfOrder(payin, now), pauseOfUnpaid(payin, sinceChange, now)].filter(
    (pause) => pause !== undefined,
  );
  return pauses.length === 0 ? undefined : Math.min(...pauses);
}

/** For an open one that was sent so late that no poll of the first day ends it if the rail does not know it. */
function pauseOfOrder({ status, orderingSince }: Payin, now: Date): number | undefined {
  if (!isOpen(status) || orderingSince === undefined) return undefined;
  const sinceOrder = now.getTime() - Date.parse(orderingSince);
  return sinceOrder > DAY ? undefined : LISTED_FROM - sinceOrder;
}

/** For one that is open, or has ended without money. */
function pauseOfUnpaid({ status, expirationDate }: Payin, sinceChange: number, now: Date): number | undefined {
  const sinceExpiry =
    isOpen(status) && expirationDate !== undefined ? now.getTime() - Date.parse(expirationDate) : POLLED_FOR;
  if (Math.min(sinceChange, sinceExpiry) >= POLLED_FOR) return undefined;
  // The list says all that is new about an ended one.
  if (sinceChange >= (isOpen(status) ? LISTED_FROM : HOUR)) return POLLED_FOR - Math.min(sinceChange, sinceExpiry);
  if (!isOpen(status)) return HOUR - sinceChange;
  // The last one of the first day is at its end. Before the first one most payers have paid, and the rail has notified.
  return Math.max(FIRST, Math.min(sinceChange, LISTED_FROM - sinceChange));
}

/** For a completed one with another amount. */
function pauseOfMismatch(sinceChange: number): number | undefined {
  if (sinceChange >= LISTED_FROM) return untilNext([LISTED_AGAIN, POLLED_FOR], sinceChange);
  // A late, older answer may contradict its last one.
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
