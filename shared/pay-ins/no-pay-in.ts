import { ApiError } from '#shared/platform/http/api-error.ts';
import { payinErrors } from './pay-in-errors.ts';

export function noPayin(): ApiError {
  return new ApiError(payinErrors.PAYIN_NOT_FOUND, {
    detail: 'There is no pay-in with this id or reference. Check it, and the stage.',
  });
}
