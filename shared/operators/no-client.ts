import { ApiError } from '#shared/platform/http/api-error.ts';

export function noClient(): ApiError {
  return new ApiError('NOT_FOUND', { detail: 'There is no client with this id. Check the id and the stage.' });
}
