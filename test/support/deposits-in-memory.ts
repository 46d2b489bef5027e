import * as z from 'zod/mini';
import { type Deposit, deposit } from '#shared/off-ramps/model/deposit.ts';
import { createDepositPolls, dueShardOf } from '#shared/off-ramps/store/deposit-polls.ts';
import { createDepositRepository } from '#shared/off-ramps/store/deposit-repository.ts';
import { createHashSearches, type HashSearch } from '#shared/off-ramps/store/hash-searches.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { tablesInMemory } from './tables-in-memory.ts';

type Kept = (Deposit | HashSearch) & { readonly dueAt?: string | undefined };

/** The attributes that a poll removes. */
const NONE = {
  nextPollAt: undefined,
  dueAt: undefined,
  arrivingAt: undefined,
  unmatched: undefined,
  unmatchedSince: undefined,
};

const keptItem = z.partial(z.extend(deposit, { dueAt: z.string() }));

/** The table of deposits and of searches for hashes, in memory. */
export function depositsInMemory(...stored: readonly Kept[]) {
  const { dynamo, table: tableNamed } = tablesInMemory();
  const table = tableNamed('deposits');
  const put = (item: Kept) =>
    table.put({ ...item, dueShard: item.dueAt === undefined ? undefined : dueShardOf(item.custodianTransferId) });
  for (const item of stored) put(item);
  return {
    dynamo,
    deposits: createDepositRepository(dynamo, 'deposits', systemClock),
    polls: createDepositPolls(dynamo, 'deposits', systemClock),
    searches: createHashSearches(dynamo, 'deposits', systemClock),
    put,
    kept: (custodianTransferId: string): z.infer<typeof keptItem> => ({
      ...NONE,
      ...keptItem.parse(table.find({ custodianTransferId }) ?? {}),
    }),
    /** Milliseconds since 1970; `Infinity` when nothing is due any more. */
    firstDue: () => Math.min(...table.items().map(({ dueAt }) => Date.parse(String(dueAt)) || Infinity)),
  };
}
