import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { ApiError } from './api-error.ts';

/** Milliseconds. */
const DAY = 24 * 3600 * 1000;

/** Of what is used up until the next midnight in UTC. */
export function dailyLimitReached(now: Date): ApiError {
  const midnight = (Math.floor(now.getTime() / DAY) + 1) * DAY;
  return new ApiError(apiErrors.DAILY_LIMIT_REACHED, {
    retryAfterSeconds: Math.ceil((midnight - now.getTime()) / 1000),
  });
}
