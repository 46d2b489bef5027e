import { isPassing } from '#shared/platform/aws/passing-error.ts';
import { Unavailable } from '#shared/platform/unavailable.ts';
import { ApiError } from './api-error.ts';

/** The API error that a failed request ends with: the code below the use cases does not know HTTP. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return error instanceof Unavailable || (error instanceof Error && isPassing(error.name))
    ? new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1, cause: error })
    : new ApiError('INTERNAL_ERROR', { cause: error });
}
