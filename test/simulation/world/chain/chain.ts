import type { Network } from '#shared/networks/network.ts';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import type { TrueTransfer } from '#test/simulation/books/truth.ts';
import type { Phase } from './phases.ts';

/** A transfer that was sent, and what becomes of it. Times in milliseconds since 1970. */
export interface ChainTransfer extends TrueTransfer {
  readonly sentAt: number;
  readonly phases: readonly (TrueTransfer['phases'][number] & Pick<Phase, 'isKnown' | 'isMisread'>)[];
  readonly notifiedAt: number[];
}

export interface Chain {
  /** Puts a transfer of a transaction on the chain. */
  send(facts: TrueTransfer['facts'], sentAt: number, phases: readonly Phase[]): ChainTransfer;
  /** All transfers of a transaction, to whomever. */
  ofTransaction(network: Network, txHash: string): readonly ChainTransfer[];
  /** Everything that was ever sent, in its order. */
  readonly all: readonly ChainTransfer[];
}

/** All networks together: nobody changes what is on them. */
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

/** What a custodian that knows all says of a transfer at this time; `undefined` before it knows of it. */
export function transferAt({ facts, phases }: ChainTransfer, time: number): CustodianTransfer | undefined {
  const phase = phases.findLast(({ at }) => at <= time);
  if (phase === undefined) return undefined;
  const { state, confirmations, isKnown, isMisread = false } = phase;
  const said = {
    ...facts,
    createdAt: new Date(phases[0]?.at ?? 0).toISOString(),
    ...(isMisread && { amount: `9${facts.amount}` }),
  };
  return { ...said, ...(!isKnown && { toAddress: '', fromAddress: '' }), state, confirmations };
}
