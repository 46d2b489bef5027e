import * as z from 'zod/mini';
import { documentValues } from '#shared/platform/http/document.ts';

/** The networks a deposit can arrive on (decisions.md 4, Networks). */
export const networks = [
  'ETHEREUM',
  'POLYGON',
  'BASE',
  'ARBITRUM',
  'OPTIMISM',
  'BSC',
  'AVALANCHE',
  'TRON',
  'STELLAR',
  'SOLANA',
  'SUI',
] as const;

export type Network = (typeof networks)[number];

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

/** What a stage asks of a network before a deposit on it counts. */
export interface NetworkRules {
  /** Seconds until a transaction on the network is usually final; the first look after the immediate one waits this long. */
  readonly finalitySeconds: number;
  /** The fewest confirmations that count, on top of the custodian's own policy. */
  readonly minimumConfirmations: number;
}
