import * as z from 'zod/mini';
import { documentValues } from '#shared/platform/http/document.ts';
import { evm } from './evm.ts';
import type { NetworkFamily } from './network-family.ts';
import { solana } from './solana.ts';
import { stellar } from './stellar.ts';
import { sui } from './sui.ts';
import { tron } from './tron.ts';

/**
 * The networks a deposit can arrive on (decisions.md 4, Networks). A list of its own, so that a function that needs
 * only names bundles no entry and no family.
 */
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

/** A transaction hash in its normal form; what people write is not normal yet. */
export const txHash = z.string();

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

/** What a stage requires before a deposit on a network counts. */
export interface NetworkRules {
  /** Seconds until a transaction on the network is usually final; the first poll after the immediate one waits this long. */
  readonly finalitySeconds: number;
  /** The fewest confirmations that count, on top of the custodian's own policy. */
  readonly minimumConfirmations: number;
}

/** The only description of a network in the service. */
export interface NetworkSpec extends NetworkRules {
  readonly family: NetworkFamily;
}

/** Seconds to finality and confirmations are the networks' own figures, rounded up. */
export const networkSpecs: Readonly<Record<Network, NetworkSpec>> = {
  ETHEREUM: { family: evm, finalitySeconds: 180, minimumConfirmations: 12 },
  POLYGON: { family: evm, finalitySeconds: 125, minimumConfirmations: 32 },
  BASE: { family: evm, finalitySeconds: 240, minimumConfirmations: 20 },
  ARBITRUM: { family: evm, finalitySeconds: 240, minimumConfirmations: 20 },
  OPTIMISM: { family: evm, finalitySeconds: 240, minimumConfirmations: 20 },
  BSC: { family: evm, finalitySeconds: 15, minimumConfirmations: 15 },
  AVALANCHE: { family: evm, finalitySeconds: 6, minimumConfirmations: 1 },
  TRON: { family: tron, finalitySeconds: 65, minimumConfirmations: 20 },
  STELLAR: { family: stellar, finalitySeconds: 6, minimumConfirmations: 1 },
  SOLANA: { family: solana, finalitySeconds: 5, minimumConfirmations: 1 },
  SUI: { family: sui, finalitySeconds: 5, minimumConfirmations: 1 },
};
