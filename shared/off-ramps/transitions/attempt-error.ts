import { ApiError, type ApiErrorCode } from '#shared/platform/http/api-error.ts';
import { AttemptRefused } from './begin-attempt.ts';

const codes = {
  TOO_MANY_ATTEMPTS: 'TOO_MANY_ATTEMPTS',
  FUNDS_ANOTHER: 'TX_HASH_ALREADY_DECLARED',
  DECLARED_ELSEWHERE: 'TX_HASH_ALREADY_DECLARED',
} as const satisfies Record<AttemptRefused['reason'], ApiErrorCode>;

/** The API error for an attempt that did not begin; any other error is returned unchanged. */
export function asAttemptError(error: unknown): unknown {
  return error instanceof AttemptRefused ? new ApiError(codes[error.reason]) : error;
}
