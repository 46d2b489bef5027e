import type { Clock } from '#shared/platform/clock.ts';
import { ConflictPersists, retryOnConflict } from '#shared/platform/dynamodb/transaction.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { ApiError } from './api-error.ts';

/**
 * Like `retryOnConflict`, for items that only the client itself writes: conflicts that persist come from its own calls
 * and are no fault of the service (decisions.md 10, Conflicts of a caller with itself).
 *
 * @throws {ApiError} CONCURRENT_CHANGE; nothing was written.
 */
export async function retryOnOwnConflict<T>(clock: Clock, decide: () => Promise<T>): Promise<T> {
  try {
    return await retryOnConflict(clock, decide);
  } catch (error) {
    // A throttled table is not a conflict of the client with itself.
    if (!(error instanceof ConflictPersists) || error.declinedFor === undefined) throw error;
    throw new ApiError(apiErrors.CONCURRENT_CHANGE, { retryAfterSeconds: 1, cause: error });
  }
}
