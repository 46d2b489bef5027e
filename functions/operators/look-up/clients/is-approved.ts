import type { FindClient } from '#shared/clients/client-repository.ts';

/** Whether the client may change anything. */
export function isApproved(client: Awaited<ReturnType<FindClient>>): boolean {
  return client?.status === 'approved' && client.complianceStatus === 'approved';
}
