import { isTransient } from '#shared/platform/aws/transient-error.ts';
import { Unavailable } from '#shared/platform/unavailable.ts';
import { ApiError, type ApiErrorCode, apiErrors } from './api-error.ts';
import type { Access } from './contract.ts';

/** The API error that a failed request ends with: the code below the use cases does not know HTTP. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return error instanceof Unavailable || (error instanceof Error && isTransient(error.name))
    ? new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1, cause: error })
    : new ApiError('INTERNAL_ERROR', { cause: error });
}

/** Why a call of a client fails although nothing of the service does: what it asks for is refused elsewhere, or its other calls hinder it. */
export function declinedFor(access: Access, { code, cause }: ApiError): string | undefined {
  if (!access.endsWith('client')) return undefined;
  if (code === 'RAIL_REJECTED') return code;
  return cause instanceof Unavailable ? cause.declinedFor : undefined;
}

/** In place of what tells a client how to repeat a creation. */
const toOperators: ReadonlyMap<ApiErrorCode, string> = new Map([
  ['INTERNAL_ERROR', 'The service failed. Its logs say why, by the id of the request.'],
  ['SERVICE_UNAVAILABLE', 'The service cannot answer at the moment. Ask again after a pause.'],
]);

/** The error in the words of whoever called; one that says more than its code does keeps them. */
export function toldTo(access: Access, error: ApiError): ApiError {
  const { code, message, retryAfterSeconds, ids, cause } = error;
  const detail = access === 'operator' && message === apiErrors[code][1] ? toOperators.get(code) : undefined;
  if (detail === undefined) return error;
  const others = { ...(retryAfterSeconds !== undefined && { retryAfterSeconds }), ...(ids && { ids }) };
  return new ApiError(code, { detail, cause, ...others });
}
