import type { ParameterKind } from '#shared/parameters/parameter-store.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';

const lists = { BANK: 'bank', TOKEN: 'token' } as const;

export function noParameter(kind: ParameterKind): ApiError {
  return new ApiError('NOT_FOUND', {
    detail: `The stage has no ${lists[kind]} with this id. GET /api/parameters/${lists[kind]}s lists those that are active.`,
  });
}
