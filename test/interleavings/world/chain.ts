import { CustodianUnavailable, type FindTransfers } from '#shared/off-ramps/custodians/custodian.ts';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian-transfer.ts';
import type { Random } from '#test/simulation/kernel/random.ts';
import type { Schedule } from '#test/simulation/kernel/schedule.ts';

/** From when on the custodian tells what of a transfer. */
export interface Phase {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly state: CustodianTransfer['state'];
  readonly confirmations: number;
  /** Addresses are filled in once the transaction is in a block. */
  readonly isKnown: boolean;
}

/** A transfer as it will have been, whoever asks. */
export interface ChainTransfer {
  readonly facts: Omit<CustodianTransfer, 'state' | 'confirmations'>;
  /** In the order of their time. */
  readonly phases: readonly Phase[];
}

export interface Outage {
  readonly from: number;
  readonly until: number;
}

/** What the custodian would tell at this time; `undefined` before it knows of the transfer. */
export function transferAt({ facts, phases }: ChainTransfer, time: number): CustodianTransfer | undefined {
  const phase = phases.findLast(({ at }) => at <= time);
  if (phase === undefined) return undefined;
  const { state, confirmations, isKnown } = phase;
  return { ...facts, ...(!isKnown && { toAddress: '', fromAddress: '' }), state, confirmations };
}

/** The custodian's search by hash, with its outages. */
export function createCustodian(
  { clock, turn }: Schedule,
  random: Random,
  chain: readonly ChainTransfer[],
  outages: readonly Outage[],
  fault: number,
): FindTransfers {
  const isOut = (now: number) => outages.some(({ from, until }) => from <= now && now < until) || random.chance(fault);
  return async ({ network, txHash }) => {
    await turn('REQUEST');
    const now = clock.now().getTime();
    const found = chain
      .filter(({ facts }) => facts.txHash === txHash && facts.network === network)
      .map((transfer) => transferAt(transfer, now))
      .filter((transfer) => transfer !== undefined);
    await turn('ANSWER');
    if (isOut(now)) throw new CustodianUnavailable('No answer.');
    return found;
  };
}
