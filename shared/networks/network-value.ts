import * as z from 'zod/mini';
import { documentValues } from '#shared/platform/http/document.ts';
import { networks } from './network.ts';

export const network = z.enum(networks);

documentValues('Network', network, 'A blockchain on which deposits can arrive.', {
  ETHEREUM: 'Ethereum (EVM).',
  POLYGON: 'Polygon PoS (EVM).',
  BASE: 'Base (EVM).',
  ARBITRUM: 'Arbitrum One (EVM).',
  OPTIMISM: 'OP Mainnet (EVM).',
  BSC: 'BNB Smart Chain (EVM).',
  AVALANCHE: 'Avalanche C-Chain (EVM).',
  TRON: 'TRON.',
  STELLAR: 'Stellar. A deposit may need the memo in addressTag.',
  SOLANA: 'Solana.',
  SUI: 'Sui.',
});
