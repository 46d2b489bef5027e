import { paysFee, phaseAt } from './fits.ts';
import type { TrueSending, TrueTransfer } from './truth.ts';

/** An amount that has moved for good, as known at some time. */
interface Moved {
  readonly asset: string;
  readonly term: 'in' | 'out' | 'fees';
  readonly amount: string;
}

/** Lists all amounts that came or left up to a time. A held amount has come. */
export function amountsIn(
  transfers: readonly TrueTransfer[],
  sendings: readonly TrueSending[],
  time: number,
): readonly Moved[] {
  const came = transfers.flatMap((one): readonly Moved[] => {
    const { assetId: asset, amount } = one.facts;
    const state = phaseAt(one, time)?.state;
    return state === 'CONFIRMED' || state === 'HELD' ? [{ asset, term: 'in', amount }] : [];
  });
  const left = sendings.flatMap(({ order, phases, fee }): readonly Moved[] => {
    const phase = phases.findLast(({ at }) => at <= time);
    if (phase === undefined || !paysFee(phase)) return [];
    const { assetId: asset, amount } = order;
    const fees = { asset: fee.assetId, term: 'fees', amount: fee.amount } as const;
    return phase.state === 'COMPLETED' ? [{ asset, term: 'out', amount }, fees] : [fees];
  });
  return [...came, ...left];
}
