import { ApiError } from '#shared/platform/http/api-error.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';

export function noClient(): ApiError {
  return new ApiError(apiErrors.NOT_FOUND, { detail: 'There is no client with this id. Check the id and the stage.' });
}
