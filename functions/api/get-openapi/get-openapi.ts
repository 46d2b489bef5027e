import type * as z from 'zod/mini';
import type { getOpenapi as contract } from '#shared/contracts/openapi.ts';
import type { UseCase } from '#shared/http/use-case.ts';

type Description = z.infer<typeof contract.success.body>;

export function getOpenapi(description: Description): UseCase<typeof contract> {
  return async () => ({ body: description });
}
