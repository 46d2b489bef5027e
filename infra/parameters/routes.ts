import type { Route } from '#infra/platform/route.ts';
import {
  listBanksAsClientContract,
  listBanksContract,
  listTokensContract,
} from '#shared/parameters/parameter-contract.ts';

/** The lists of banks and tokens. */
export const parameterRoutes: readonly Route[] = [
  {
    contract: listBanksContract,
    alsoServes: [listBanksAsClientContract],
    tables: { parameters: ['Query'] },
    impact: 'Clients cannot list banks; known banks keep working.',
    example: {
      answer: [
        { id: 'banco-de-bogota', code: '1001', name: 'Banco de Bogotá', status: 'true' },
        { id: 'bancolombia', code: '1007', name: 'Bancolombia', status: 'true' },
      ],
      remark: 'Active banks only.',
    },
  },
  {
    contract: listTokensContract,
    tables: { parameters: ['Query'] },
    impact: 'Clients cannot list tokens; known tokens keep working.',
    example: {
      answer: [
        {
          id: 1,
          token: 'USDC',
          status: true,
          registerDate: '2026-11-21',
          networks: [
            { network: 'POLYGON', decimals: 6, minimum: '1', maximum: '100000' },
            { network: 'STELLAR', decimals: 7, minimum: '1', maximum: '100000' },
          ],
        },
      ],
      remark: 'Active tokens only.',
    },
  },
];
