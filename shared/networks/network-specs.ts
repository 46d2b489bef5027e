import { evm } from './evm.ts';
import type { Network, NetworkRules } from './network.ts';
import type { NetworkFamily } from './network-family.ts';
import { solana } from './solana.ts';
import { stellar } from './stellar.ts';
import { sui } from './sui.ts';
import { tron } from './tron.ts';

/** All that the service knows of a network. */
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
