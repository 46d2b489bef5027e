import { Refusal } from '#shared/domain/refusal.ts';
import type { FindClient } from '#shared/dynamodb/clients.ts';
import type { Authorise } from './endpoint.ts';

/** For everything that changes something (interface 5.4; decisions.md 1). */
export function approvedClients(findClient: FindClient): Authorise {
  return async (clientId) => {
    const client = await findClient(clientId);
    if (client?.complianceStatus !== 'approved' || client.status !== 'approved') {
      throw new Refusal('CLIENT_NOT_APPROVED');
    }
  };
}
