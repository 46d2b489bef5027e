import { listBanks, listBanksAsClient, listTokens } from '#shared/contracts/parameters.ts';
import type { Endpoint } from '../endpoint.ts';

/** The lists of banks and tokens. */
export const parameterRoutes: readonly Endpoint[] = [
  {
    contract: listBanks,
    alsoServes: [listBanksAsClient],
    folder: 'api/list-banks',
    api: 'clients',
    tables: { parameters: ['Query'] },
    needs: [],
    clientsLose: 'Clients cannot list banks; the banks that they know keep working.',
  },
  {
    contract: listTokens,
    folder: 'api/list-tokens',
    api: 'clients',
    tables: { parameters: ['Query'] },
    needs: [],
    clientsLose: 'Clients cannot list tokens; the tokens that they know keep working.',
  },
];
