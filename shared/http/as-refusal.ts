import { Refusal } from '#shared/domain/refusal.ts';
import { Unavailable } from '#shared/runtime/unavailable.ts';

/** What a request ends with that failed so: below the use cases nothing knows of HTTP. */
export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  return error instanceof Unavailable
    ? new Refusal('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1, cause: error })
    : new Refusal('INTERNAL_ERROR', { cause: error });
}
