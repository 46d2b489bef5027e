import { AUDITED_CHANGES, type OperatorRoute } from '#infra/platform/operator-route.ts';
import { readBank, readToken } from '#shared/operators/parameter-lookup.ts';
import { activateBank, activateToken, deactivateBank, deactivateToken } from '#shared/parameters/parameter-commands.ts';

const tables = { parameters: ['UpdateItem'] } as const;
const bankId = 'bancolombia';
const tokenId = '1';

/** What operators look up and change of the lists of banks and tokens. */
export const parameterOperatorRoutes: readonly OperatorRoute[] = [
  { contract: readBank, tables: { parameters: ['GetItem'], audit: AUDITED_CHANGES }, example: { bankId } },
  { contract: readToken, tables: { parameters: ['GetItem'], audit: AUDITED_CHANGES }, example: { tokenId } },
  {
    contract: deactivateBank,
    tables,
    example: { bankId },
    question: 'From now on nobody can pay in from this bank by PSE; what has begun goes on. Deactivate it?',
  },
  {
    contract: activateBank,
    tables,
    example: { bankId },
    question: 'From now on users can pay in from this bank by PSE. Activate it?',
  },
  {
    contract: deactivateToken,
    tables,
    example: { tokenId },
    question: 'From now on no off-ramp can be created with this token; what was created goes on. Deactivate it?',
  },
  {
    contract: activateToken,
    tables,
    example: { tokenId },
    question: 'From now on off-ramps can be created with this token. Activate it?',
  },
];
