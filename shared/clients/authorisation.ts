import { clientErrors } from '#shared/clients/client-errors.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import type { Authorise } from '#shared/platform/http/endpoint.ts';
import { hasCertificateOf } from './client-certificate.ts';
import type { FindClient } from './client-store.ts';

/** For everything that changes something (interface 5.4; decisions.md 1). */
export function approvedClients(findClient: FindClient): Authorise {
  return async (clientId, { certificateSubject }) => {
    const client = await findClient(clientId);
    if (client !== undefined && !hasCertificateOf(client, certificateSubject)) {
      const detail = 'The client certificate of this call is none of the client’s: use the one that was agreed on.';
      throw new ApiError(apiErrors.UNAUTHORIZED, { detail });
    }
    if (client?.complianceStatus !== 'approved' || client.status !== 'approved') {
      throw new ApiError(clientErrors.CLIENT_NOT_APPROVED);
    }
  };
}
