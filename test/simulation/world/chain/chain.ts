import type { Network } from '#shared/networks/network.ts';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian-transfer.ts';
import type { Phase } from './phases.ts';

/** What is so of a transfer from the moment it is sent, whoever asks. */
export type TransferFacts = Omit<CustodianTransfer, 'state' | 'confirmations'>;

/** A transfer that was sent, and what becomes of it. */
export interface ChainTransfer {
  readonly facts: TransferFacts;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
  /** In the order of their time. */
  readonly phases: readonly Phase[];
}

export interface Chain {
  /** Puts the transfers of one transaction on the chain. */
  send(transfers: readonly ChainTransfer[]): void;
  /** All transfers of a transaction, to whomever. */
  ofTransaction(network: Network, txHash: string): readonly ChainTransfer[];
  /** Everything that was ever sent, in its order. */
  readonly all: readonly ChainTransfer[];
}

/** All networks together: nobody outside of the service changes what is on them. */
export function createChain(): Chain {
  const all: ChainTransfer[] = [];
  const byHash = new Map<string, ChainTransfer[]>();
  return {
    all,
    send(transfers) {
      all.push(...transfers);
      for (const transfer of transfers) {
        const key = keyOf(transfer.facts.network, transfer.facts.txHash);
        byHash.set(key, [...(byHash.get(key) ?? []), transfer]);
      }
    },
    ofTransaction: (network, txHash) => byHash.get(keyOf(network, txHash)) ?? [],
  };
}

function keyOf(network: Network, txHash: string): string {
  return `${network}:${txHash}`;
}

/** What a custodian that knows all says of a transfer at this time; `undefined` before it knows of it. */
export function transferAt({ facts, sentAt, phases }: ChainTransfer, time: number): CustodianTransfer | undefined {
  const phase = phases.findLast(({ after }) => sentAt + after <= time);
  if (phase === undefined) return undefined;
  const { state, confirmations, isKnown } = phase;
  return { ...facts, ...(!isKnown && { toAddress: '', fromAddress: '' }), state, confirmations };
}
