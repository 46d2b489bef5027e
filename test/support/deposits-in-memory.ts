import { isDeepStrictEqual } from 'node:util';
import type { Deposit } from '#shared/domain/deposit.ts';
import { type DepositPoll, type DepositPolls, dueShardOf, lostAfter } from '#shared/dynamodb/deposit-polls.ts';
import type { Deposits } from '#shared/dynamodb/deposits.ts';
import type { HashSearch } from '#shared/dynamodb/hash-searches.ts';

type Kept = (Deposit | HashSearch) & { readonly dueAt?: string | undefined };

/** Keeps what the deposits table keeps, under the same conditions. */
export function depositsInMemory(...stored: readonly Kept[]) {
  const items = new Map<string, Kept>(stored.map((item) => [item.custodianTransferId, item]));

  const notify = (
    { custodianTransferId, network, txHash }: Parameters<Deposits['remember']>[0],
    now: Date,
  ): DepositPoll => {
    const [seen, at] = [items.get(custodianTransferId), now.toISOString()];
    const firstNotifiedAt = seen !== undefined && isDeposit(seen) ? seen.firstNotifiedAt : at;
    const identity = { custodianTransferId, network, txHash };
    const times = { firstNotifiedAt, lastNotifiedAt: at, nextPollAt: at, dueAt: lostAfter(now) };
    items.set(custodianTransferId, { ...seen, ...identity, ...times });
    return { custodianTransferId, nextPollAt: at };
  };

  const deposits: Pick<Deposits, 'find' | 'remember' | 'rememberFound'> = {
    async find(id) {
      const item = items.get(id);
      return item !== undefined && isDeposit(item) ? item : undefined;
    },
    remember: async (transfer, now) => notify(transfer, now),
    async rememberFound(since, transfer, now) {
      const seen = await this.find(transfer.custodianTransferId);
      return seen === undefined || seen.lastNotifiedAt < since ? notify(transfer, now) : undefined;
    },
  };

  const polls: DepositPolls = {
    async *dueBefore(shard, before) {
      const due = [...items.values()]
        .flatMap(({ custodianTransferId, dueAt }) => (dueAt === undefined ? [] : [{ custodianTransferId, dueAt }]))
        .filter((entry) => dueShardOf(entry.custodianTransferId) === shard && entry.dueAt < before);
      yield* due.toSorted((one, other) => (one.dueAt < other.dueAt ? -1 : 1));
    },
    async reserve({ custodianTransferId, dueAt }, lostAt) {
      const seen = items.get(custodianTransferId);
      if (seen?.nextPollAt === undefined || seen.dueAt !== dueAt) return undefined;
      items.set(custodianTransferId, { ...seen, dueAt: lostAt });
      return { custodianTransferId, nextPollAt: seen.nextPollAt };
    },
    async record({ custodianTransferId, nextPollAt, creditedTo }, change, next) {
      const seen = items.get(custodianTransferId);
      if (seen === undefined) return false;
      const after = { ...seen, ...change, nextPollAt: next?.nextPollAt, dueAt: next?.dueAt };
      const isCredited = creditedTo === undefined && isDeposit(seen) && seen.creditedTo !== undefined;
      if (seen.nextPollAt !== nextPollAt || isCredited) return isDeepStrictEqual(seen, after);
      items.set(custodianTransferId, after);
      return true;
    },
  };

  return {
    deposits,
    polls,
    searches: {
      async find(id: string): Promise<HashSearch | undefined> {
        const item = items.get(id);
        return item !== undefined && !isDeposit(item) ? item : undefined;
      },
    },
    kept: (id: string): Partial<Deposit> & { readonly dueAt?: string | undefined } => items.get(id) ?? {},
    /** Milliseconds since 1970; `Infinity` when nothing is due any more. */
    firstDue: () => Math.min(...[...items.values()].map(({ dueAt }) => Date.parse(dueAt ?? '') || Infinity)),
    put: (item: Kept) => void items.set(item.custodianTransferId, item),
  };
}

function isDeposit(item: Kept): item is Deposit {
  return 'firstNotifiedAt' in item;
}
