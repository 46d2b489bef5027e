import { ApiError, asApiError } from '#shared/platform/http/api-error.ts';
import { Unavailable } from '#shared/platform/retry.ts';

/** The error that a request ends with and its client is told. What would be a fault of the service fails the test. */
export async function expectApiError(action: () => unknown): Promise<ApiError> {
  try {
    await action();
  } catch (error) {
    if (error instanceof ApiError || error instanceof Unavailable) return asApiError(error);
    throw error;
  }
  throw new Error('It was not refused.');
}
