import { Unavailable } from '#shared/platform/unavailable.ts';
import { ApiError } from './api-error.ts';

/** What a request ends with that failed so: below the use cases nothing knows of HTTP. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return error instanceof Unavailable
    ? new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1, cause: error })
    : new ApiError('INTERNAL_ERROR', { cause: error });
}
