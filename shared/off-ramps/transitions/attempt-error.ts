import { offRampErrors } from '#shared/off-ramps/contract/off-ramp-errors.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import type { ErrorKind } from '#shared/platform/http/api-errors.ts';
import { AttemptRefused } from './begin-attempt.ts';

const kinds = {
  TOO_MANY_ATTEMPTS: offRampErrors.TOO_MANY_ATTEMPTS,
  FUNDS_ANOTHER: offRampErrors.TX_HASH_ALREADY_DECLARED,
  DECLARED_ELSEWHERE: offRampErrors.TX_HASH_ALREADY_DECLARED,
} satisfies Record<AttemptRefused['reason'], ErrorKind>;

/** The API error for an attempt that did not begin; any other error is returned unchanged. */
export function asAttemptError(error: unknown): unknown {
  return error instanceof AttemptRefused ? new ApiError(kinds[error.reason]) : error;
}
