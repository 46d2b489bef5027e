import { ApiError } from '#shared/platform/http/api-error.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { CustodianUnavailable } from './custodian.ts';

/** Seconds until the caller's next try, if the custodian names no pause. */
const ASK_AGAIN_AFTER = 5;

/** Awaits a custodian's answer during a request. @throws {ApiError} SERVICE_UNAVAILABLE without a readable answer */
export async function orServiceUnavailable<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof CustodianUnavailable)) throw error;
    const retryAfterSeconds = Math.ceil(error.retryAfter ?? ASK_AGAIN_AFTER);
    throw new ApiError(apiErrors.SERVICE_UNAVAILABLE, { retryAfterSeconds, cause: error });
  }
}
