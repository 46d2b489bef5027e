import type { DeliveryAttempt } from './delivery.ts';

/** The state of a delivery after an attempt. */
export type AttemptOutcome =
  | { readonly status: 'DELIVERED' }
  | { readonly status: 'FAILED'; readonly reason: 'EXHAUSTED' | 'ENDPOINT_GONE' | 'BLOCKED' }
  | { readonly status: 'PENDING'; readonly nextAttemptAt: string };

/** How an attempt ended. */
interface Result extends Pick<DeliveryAttempt, 'statusCode' | 'error'> {
  readonly retryAfter?: string | undefined;
  /** True if the URL itself is blocked, whatever DNS answers. */
  readonly isUrlBlocked?: boolean;
  /** True if the client has changed the webhook's address since the call. */
  readonly hasMoved?: boolean;
}

/** Whether the endpoint answered that it is gone permanently. */
export function isGone(statusCode: number | undefined): boolean {
  return statusCode === 410;
}

/** Statuses whose `Retry-After` header can delay the next attempt. */
const OVERLOADED: readonly (number | undefined)[] = [429, 503];

/** Whether the endpoint has accepted the event. */
export function isSuccess(statusCode: number | undefined): boolean {
  return statusCode !== undefined && statusCode >= 200 && statusCode < 300;
}

/**
 * Decides by decisions.md 7, Retries: only 2xx is success; 401 or 404 are usually a bad deployment and are retried like any
 * other failure.
 *
 * @param attemptsMade at least 1, counting the one that ended
 * @param random at least 0, below 1
 */
export function attemptOutcome(
  result: Result,
  attemptsMade: number,
  endedAt: Date,
  random: () => number,
): AttemptOutcome {
  const { statusCode, isUrlBlocked = false, hasMoved = false } = result;
  if (isSuccess(statusCode)) return { status: 'DELIVERED' };
  if (isGone(statusCode) && !hasMoved) return { status: 'FAILED', reason: 'ENDPOINT_GONE' };
  if (isUrlBlocked) return { status: 'FAILED', reason: 'BLOCKED' };
  const scheduled = retryAt(attemptsMade, endedAt, random);
  if (scheduled === undefined) return { status: 'FAILED', reason: 'EXHAUSTED' };
  // An endpoint can only delay the attempt: a short delay must not cause calls faster than the schedule.
  const asked = OVERLOADED.includes(statusCode) ? (requestedDelay(result.retryAfter, endedAt) ?? 0) : 0;
  const next = Math.max(scheduled.getTime(), endedAt.getTime() + asked * 1000);
  return { status: 'PENDING', nextAttemptAt: new Date(next).toISOString() };
}

/** Seconds from the end of each attempt to the next one (decisions.md 7, Retries): 75 h 35 min 5 s in all. */
const GAPS = [5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600, 20 * 3600, 24 * 3600];

/** The first attempt and one after each gap. */
export const MOST_ATTEMPTS = GAPS.length + 1;

/** The most jitter: a fraction of the gap, but at most `most` seconds. */
const JITTER = { part: 0.1, most: 15 * 60 };

/** The most seconds by which an endpoint can delay an attempt. */
const LONGEST_REQUESTED_DELAY = 24 * 3600;

/**
 * When the next attempt is due, or `undefined` when the one that ended was the last. Jitter spreads the retries of
 * events that failed together; it never makes one early.
 *
 * @param attemptsMade at least 1, counting the one that ended
 * @param random at least 0, below 1
 */
export function retryAt(attemptsMade: number, endedAt: Date, random: () => number): Date | undefined {
  const gap = GAPS[attemptsMade - 1];
  if (gap === undefined) return undefined;
  const jitter = Math.min(gap * JITTER.part, JITTER.most) * random();
  return new Date(endedAt.getTime() + Math.floor((gap + jitter) * 1000));
}

/** The dates of RFC 9110 §5.6.7, two obsolete forms included; other texts that `Date.parse` takes are refused. */
const HTTP_DATES = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]+day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

/**
 * Seconds, at most a day, that a `Retry-After` header (RFC 9110 §10.2.3) asks to wait from the given instant on;
 * `undefined` without one, or when it is neither whole seconds nor a date that is still to come.
 */
export function requestedDelay(retryAfter: string | undefined, at: Date): number | undefined {
  if (retryAfter === undefined) return undefined;
  const delay = /^\d+$/.test(retryAfter) ? Number(retryAfter) : secondsUntil(retryAfter, at);
  return delay === undefined ? undefined : Math.min(delay, LONGEST_REQUESTED_DELAY);
}

function secondsUntil(date: string, at: Date): number | undefined {
  if (!HTTP_DATES.some((form) => form.test(date))) return undefined;
  const seconds = Math.ceil((Date.parse(date.endsWith('GMT') ? date : `${date} GMT`) - at.getTime()) / 1000);
  return seconds > 0 ? seconds : undefined;
}
