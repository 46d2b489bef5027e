import { ApiError } from '#shared/platform/http/api-error.ts';
import { clientErrors } from './client-errors.ts';
import type { User } from './user.ts';

/** Refuses new orders of a user from the first step of its erasure on. @throws {ApiError} USER_ERASED */
export function refuseIfClosed({ closedAt }: User): void {
  if (closedAt !== undefined) throw new ApiError(clientErrors.USER_ERASED);
}
