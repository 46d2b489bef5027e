import { ApiError } from '#shared/platform/http/api-error.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import type { ParameterKind } from './parameter-store.ts';

const lists = { BANK: 'bank', TOKEN: 'token' } as const;

export function noParameter(kind: ParameterKind): ApiError {
  return new ApiError(apiErrors.NOT_FOUND, {
    detail: `The stage has no ${lists[kind]} with this id${kind === 'BANK' ? ', which bank shows by its code' : ''}. GET /api/parameters/${lists[kind]}s lists the active ones.`,
  });
}
