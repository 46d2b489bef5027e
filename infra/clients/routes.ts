import type { Endpoint } from '#infra/api/endpoint.ts';
import { getClientInfo } from '#shared/clients/client-info-contract.ts';
import { issueToken } from '#shared/clients/issue-token-contract.ts';
import { simulateClient } from '#shared/clients/simulate-client-contract.ts';

/** Who calls: access tokens and profiles. */
export const clientRoutes: readonly Endpoint[] = [
  {
    contract: issueToken,
    folder: 'clients/issue-token',
    tables: { clients: ['GetItem'] },
    needs: ['sign access tokens'],
    // Who has no token has no limit of its own. Every client needs one in five minutes.
    throttling: { rate: 50, burst: 100 },
    concurrencyGroup: 'token',
    impact: 'Clients get no access tokens; within five minutes they can do nothing at all.',
  },
  {
    contract: getClientInfo,
    folder: 'clients/get-client-info',
    tables: { clients: ['GetItem'] },
    needs: [],
    impact: 'Clients cannot read their profile; everything else works.',
  },
];

/** Never deployed to production. */
export const clientSandboxRoutes: readonly Endpoint[] = [
  {
    contract: simulateClient,
    folder: 'clients/simulate-client',
    tables: {},
    needs: ['put events of compliance on the bus'],
    impact: 'Developers of clients cannot simulate a change of their approval.',
  },
];
