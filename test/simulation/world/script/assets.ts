import { readDepositTerms, readParameterLists } from '#infra/parameters/read-parameter-lists.ts';
import type { Network } from '#shared/networks/network.ts';
import type { AssetScript } from './script.ts';

/** The stage's lists of banks and tokens. */
export const parameterLists = readParameterLists('staging');

/** Minimum deposits and decimals, by the custodian's asset id. */
export const { minimumDeposits, decimals } = readDepositTerms('staging');

/** The active tokens of each network. */
export function assetsOn(network: Network): readonly AssetScript[] {
  return parameterLists.tokens.flatMap(({ tokenId, active, networks }) => {
    const asset = active ? networks[network] : undefined;
    return asset === undefined ? [] : [{ tokenId, ...asset }];
  });
}

/** Codes of the active banks. */
export const bankCodes = parameterLists.banks.filter(({ active }) => active).map(({ code }) => code);
