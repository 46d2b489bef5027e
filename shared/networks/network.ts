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

/** What a stage asks of a network before a deposit on it counts. */
export interface NetworkRules {
  /** Seconds until a transaction on the network is usually final; the first look after the immediate one waits this long. */
  readonly finalitySeconds: number;
  /** The fewest confirmations that count, on top of the custodian's own policy. */
  readonly minimumConfirmations: number;
}
