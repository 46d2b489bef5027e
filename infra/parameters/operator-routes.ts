import { AUDITED_CHANGES, type OperatorRoute } from '#infra/platform/operator-route.ts';
import {
  activateBankContract,
  activateTokenContract,
  deactivateBankContract,
  deactivateTokenContract,
} from '#shared/parameters/parameter-commands.ts';
import { readBankContract, readTokenContract } from '#shared/parameters/parameter-lookups.ts';

const tables = { parameters: ['UpdateItem'] } as const;
const bankId = 'bancolombia';
const tokenId = '1';

/** The operators' API of the lists of banks and tokens. */
export const parameterOperatorRoutes: readonly OperatorRoute[] = [
  {
    contract: readBankContract,
    tables: { parameters: ['GetItem', 'Query'], audit: AUDITED_CHANGES },
    example: { bankId },
  },
  { contract: readTokenContract, tables: { parameters: ['GetItem'], audit: AUDITED_CHANGES }, example: { tokenId } },
  {
    contract: deactivateBankContract,
    tables,
    example: { bankId },
    question: 'From now on nobody can pay in from this bank by PSE; open pay-ins go on. Deactivate it?',
  },
  {
    contract: activateBankContract,
    tables,
    example: { bankId },
    question: 'From now on users can pay in from this bank by PSE. Activate it?',
  },
  {
    contract: deactivateTokenContract,
    tables,
    example: { tokenId },
    question: 'From now on no off-ramp can be created with this token; open ones go on. Deactivate it?',
  },
  {
    contract: activateTokenContract,
    tables,
    example: { tokenId },
    question: 'From now on off-ramps can be created with this token. Activate it?',
  },
];
