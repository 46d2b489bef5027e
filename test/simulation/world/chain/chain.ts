import type { Network } from '#shared/networks/network.ts';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import type { TrueTransfer } from '#test/simulation/books/truth.ts';
import type { Phase } from './phases.ts';

/** A transfer that was sent, with its phases. Times in milliseconds since 1970. */
export interface ChainTransfer extends TrueTransfer {
  readonly sentAt: number;
  readonly phases: readonly (TrueTransfer['phases'][number] & Pick<Phase, 'isKnown' | 'isMisread'>)[];
  readonly notifiedAt: number[];
}

export interface Chain {
  /** Puts a transfer on the chain. */
  send(facts: TrueTransfer['facts'], sentAt: number, phases: readonly Phase[]): ChainTransfer;
  /** Returns all transfers of a transaction, to any recipient. */
  ofTransaction(network: Network, txHash: string): readonly ChainTransfer[];
  /** Every transfer ever sent, in order. */
  readonly all: readonly ChainTransfer[];
}

/** All networks together. Transfers are only ever added. */
export function createChain(): Chain {
  const all: ChainTransfer[] = [];
  return {
    all,
    send(facts, sentAt, phases) {
      const dated = phases.map(({ after, ...phase }) => ({ at: sentAt + after, ...phase }));
      const transfer = { facts, sentAt, phases: dated, notifiedAt: [] };
      all.push(transfer);
      return transfer;
    },
    ofTransaction: (network, txHash) => all.filter(({ facts }) => facts.txHash === txHash && facts.network === network),
  };
}

/** Returns a transfer as an up-to-date custodian reports it at this time; `undefined` before it knows the transfer. */
export function transferAt({ facts, phases }: ChainTransfer, time: number): CustodianTransfer | undefined {
  const phase = phases.findLast(({ at }) => at <= time);
  if (phase === undefined) return undefined;
  const { state, confirmations, isKnown, isMisread = false } = phase;
  const reported = {
    ...facts,
    createdAt: new Date(phases[0]?.at ?? 0).toISOString(),
    ...(isMisread && { amount: `9${facts.amount}` }),
  };
  return { ...reported, ...(!isKnown && { toAddress: '', fromAddress: '' }), state, confirmations };
}
