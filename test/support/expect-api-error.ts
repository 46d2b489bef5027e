import { ApiError, asApiError } from '#shared/platform/http/api-error.ts';
import { Unavailable } from '#shared/platform/retry.ts';

/** Returns the error with which a request is refused, as its client gets it. Any other error fails the test. */
export async function expectApiError(action: () => unknown): Promise<ApiError> {
  try {
    await action();
  } catch (error) {
    if (error instanceof ApiError || error instanceof Unavailable) return asApiError(error);
    throw error;
  }
  throw new Error('It was not refused.');
}
