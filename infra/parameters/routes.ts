import type { Endpoint } from '#infra/api/endpoint.ts';
import { listBanks, listBanksAsClient, listTokens } from '#shared/parameters/parameters-contract.ts';

/** The lists of banks and tokens. */
export const parameterRoutes: readonly Endpoint[] = [
  {
    contract: listBanks,
    alsoServes: [listBanksAsClient],
    folder: 'parameters/list-banks',
    tables: { parameters: ['Query'] },
    needs: [],
    impact: 'Clients cannot list banks; the banks that they know keep working.',
  },
  {
    contract: listTokens,
    folder: 'parameters/list-tokens',
    tables: { parameters: ['Query'] },
    needs: [],
    impact: 'Clients cannot list tokens; the tokens that they know keep working.',
  },
];
