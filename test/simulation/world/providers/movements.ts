import { Big } from 'big.js';
import {
  type Custodian,
  type CustodianTransfer,
  CustodianUnavailable,
} from '#shared/off-ramps/custodians/custodian.ts';
import type { Host } from '#test/simulation/aws/host.ts';
import { amountsIn } from '#test/simulation/books/movements.ts';
import type { TrueSending } from '#test/simulation/books/truth.ts';
import { type Chain, type ChainTransfer, transferAt } from '#test/simulation/world/chain/chain.ts';
import { outgoing as leaving, type Sendings, states } from './sendings.ts';

/** Movements per page: few, so that a day has several pages. */
const PAGE = 7;

export type Movements = Required<Pick<Custodian, 'listMovements' | 'readBalances'>>;

interface Parts {
  readonly answered: <Answer>(work: () => Answer) => Promise<Answer>;
  readonly faults: { readonly unlisted: number };
  readonly isOurs: (transfer: ChainTransfer) => boolean;
  readonly say: (transfers: readonly ChainTransfer[]) => readonly CustodianTransfer[];
  readonly chain: Chain;
  readonly sendings: Sendings;
  /** Current balances, by asset. */
  readonly has: () => ReadonlyMap<string, Big>;
}

/** The data of the service's books: all movements in and out by their creation, and the current balances. */
export function createMovements(
  { random }: Host,
  { answered, faults, isOurs, say, chain, sendings, has }: Parts,
): Movements {
  const createdAt = ({ phases: [first] }: ChainTransfer) => first?.at ?? 0;
  return {
    listMovements: ({ createdSince, until, cursor }) =>
      answered(() => {
        if (random.chance(faults.unlisted)) throw new CustodianUnavailable('No list.');
        const [since, end] = [Date.parse(cursor ?? createdSince), Date.parse(until)];
        const created = chain.all.filter((one) => since <= createdAt(one) && createdAt(one) <= end && isOurs(one));
        const left = sendings.said(({ sent }) => since <= sent.takenAt && sent.takenAt <= end).map(leaving);
        const times = [...created.map(createdAt), ...left.map((one) => Date.parse(one.createdAt))].toSorted(
          (one, other) => one - other,
        );
        // Pages by time: movements of one millisecond are never on two pages.
        const next =
          times.find((time, place) => place >= PAGE && time !== times[place - 1]) ?? Number.POSITIVE_INFINITY;
        const incoming = say(created.filter((one) => createdAt(one) < next));
        const outgoing = left.filter((one) => Date.parse(one.createdAt) < next);
        const more = next <= end ? { cursor: new Date(next).toISOString() } : {};
        return { incoming, outgoing, answer: JSON.stringify([incoming, outgoing]), ...more };
      }),
    readBalances: () => answered(() => [...has()].map(([assetId, amount]) => ({ assetId, amount: amount.toFixed() }))),
  };
}

/** Puts on the chain what a sweep brings to the treasury: Fireblocks has it in the record of the sending. */
export function arrive(chain: Chain, { order, movementId, takenAt, phases }: TrueSending): void {
  const { network, assetId, amount, from: fromAddress, to } = order;
  const txHash = phases.findLast((phase) => phase.txHash)?.txHash ?? '';
  const facts = { network, txHash, fromAddress, toAddress: to.address, assetId, amount, isFromCustodian: true };
  const came = phases.map((phase) => ({
    ...{ after: phase.at - takenAt, state: states[phase.state], confirmations: 0, isKnown: true },
  }));
  chain.send({ custodianTransferId: `custodian:${movementId}`, ...facts }, takenAt, came);
}

/** Sums unconfirmed transfers of an asset. */
export function sumPending(transfers: readonly ChainTransfer[], asset: string, now: number): Big {
  return transfers
    .filter((one) => one.facts.assetId === asset && transferAt(one, now)?.state === 'UNCONFIRMED')
    .reduce((sum, { facts }) => sum.plus(facts.amount), new Big(0));
}

/** Returns the balance of each asset over all accounts now, from all final movements. */
export function balancesOf(transfers: readonly ChainTransfer[], sendings: Sendings, now: number): Map<string, Big> {
  const has = new Map<string, Big>();
  for (const { asset, term, amount } of amountsIn(transfers, sendings.all, now))
    has.set(asset, (has.get(asset) ?? new Big(0)).plus(new Big(amount).times(term === 'in' ? 1 : -1)));
  return has;
}
