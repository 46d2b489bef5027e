import type { DeliveryAttempt } from './delivery.ts';
import { askedDelay, retryAt } from './retry-schedule.ts';

/** What an attempt means for its delivery. */
export type AttemptOutcome =
  | { readonly status: 'DELIVERED' }
  | { readonly status: 'FAILED'; readonly reason: 'EXHAUSTED' | 'ENDPOINT_GONE' | 'BLOCKED' }
  | { readonly status: 'PENDING'; readonly nextAttemptAt: string };

/** How an attempt ended. */
interface Result extends Pick<DeliveryAttempt, 'statusCode' | 'error'> {
  readonly retryAfter?: string | undefined;
  /** The URL itself is blocked, whatever DNS says. */
  readonly isUrlBlocked?: boolean;
}

/** The endpoint says that it is gone for ever. */
export function isGone(statusCode: number | undefined): boolean {
  return statusCode === 410;
}

/** Answers whose `Retry-After` says when the endpoint wants the next attempt. */
const OVERLOADED: readonly (number | undefined)[] = [429, 503];

/** Whether the endpoint has accepted the event. */
export function hasArrived(statusCode: number | undefined): boolean {
  return statusCode !== undefined && statusCode >= 200 && statusCode < 300;
}

/**
 * Decides by decisions.md 7, Retries: only 2xx is success; 401 or 404 are usually a bad deployment and are retried like any
 * other failure.
 *
 * @param attemptsMade at least 1, counting the one that ended
 * @param random at least 0, below 1
 */
export function outcomeOf(result: Result, attemptsMade: number, endedAt: Date, random: () => number): AttemptOutcome {
  const { statusCode, isUrlBlocked = false } = result;
  if (hasArrived(statusCode)) return { status: 'DELIVERED' };
  if (isGone(statusCode)) return { status: 'FAILED', reason: 'ENDPOINT_GONE' };
  if (isUrlBlocked) return { status: 'FAILED', reason: 'BLOCKED' };
  const scheduled = retryAt(attemptsMade, endedAt, random);
  if (scheduled === undefined) return { status: 'FAILED', reason: 'EXHAUSTED' };
  // An endpoint can only delay the attempt: a short delay must not cause calls faster than the schedule.
  const asked = OVERLOADED.includes(statusCode) ? (askedDelay(result.retryAfter, endedAt) ?? 0) : 0;
  const next = Math.max(scheduled.getTime(), endedAt.getTime() + asked * 1000);
  return { status: 'PENDING', nextAttemptAt: new Date(next).toISOString() };
}
