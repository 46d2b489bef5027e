import { Unavailable } from '#shared/platform/unavailable.ts';
import { Refusal } from './api-error.ts';

/** What a request ends with that failed so: below the use cases nothing knows of HTTP. */
export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  return error instanceof Unavailable
    ? new Refusal('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1, cause: error })
    : new Refusal('INTERNAL_ERROR', { cause: error });
}
