import type { getClientInfoContract } from '#shared/clients/client-contract.ts';
import type { FindClientProfile } from '#shared/clients/client-repository.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';

/** A token of a deleted client is answered like an expired one. */
export function getClientInfo(findProfile: FindClientProfile): UseCase<typeof getClientInfoContract> {
  return async ({ clientId }) => {
    const profile = await findProfile(clientId);
    if (profile === undefined) throw new ApiError(apiErrors.UNAUTHORIZED);
    return { body: profile };
  };
}
