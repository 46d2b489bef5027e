import { isTransient } from '#shared/platform/aws/transient-error.ts';
import { Unavailable } from '#shared/platform/unavailable.ts';
import { ApiError } from './api-error.ts';
import { apiErrors, type ErrorKind } from './api-errors.ts';
import type { Access } from './contract.ts';

/** The API error that a failed request ends with: the code below the use cases does not know HTTP. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return error instanceof Unavailable || (error instanceof Error && isTransient(error.name))
    ? new ApiError(apiErrors.SERVICE_UNAVAILABLE, { retryAfterSeconds: 1, cause: error })
    : new ApiError(apiErrors.INTERNAL_ERROR, { cause: error });
}

/** Why a call of a client fails although nothing of the service does: what it asks for is refused elsewhere, or its other calls hinder it. */
export function declinedFor(access: Access, { code, status, cause }: ApiError): string | undefined {
  if (!access.endsWith('client')) return undefined;
  // A provider has refused it.
  if (status === 502) return code;
  return cause instanceof Unavailable ? cause.declinedFor : undefined;
}

/** In place of what tells a client how to repeat a creation. */
const toOperators: ReadonlyMap<ErrorKind, string> = new Map([
  [apiErrors.INTERNAL_ERROR, 'The service failed. Its logs say why, by the id of the request.'],
  [apiErrors.SERVICE_UNAVAILABLE, 'The service cannot answer at the moment. Ask again after a pause.'],
]);

/** The error in the words of whoever called; one that says more than its code does keeps them. */
export function toldTo(access: Access, error: ApiError): ApiError {
  const { kind, message, retryAfterSeconds, ids, cause } = error;
  const detail = access === 'operator' && message === kind.detail ? toOperators.get(kind) : undefined;
  if (detail === undefined) return error;
  const others = { ...(retryAfterSeconds !== undefined && { retryAfterSeconds }), ...(ids && { ids }) };
  return new ApiError(kind, { detail, cause, ...others });
}
