import type { ListClientIds } from '#shared/clients/client-directory.ts';
import {
  type DepositPolls,
  type DuePoll,
  depositShards,
  hashShardOf,
  type SendDepositPoll,
} from '#shared/off-ramps/store/deposit-polls.ts';
import { SEARCHERS_BESIDE_CLIENTS } from '#shared/off-ramps/store/hash-searches.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { reserveAndSend } from '#shared/platform/dynamodb/due-queue.ts';
import { describe, log } from '#shared/platform/logger.ts';
import { roundRobin, shareAmongConsumers, sweep } from '#shared/platform/sweep.ts';

interface Dependencies {
  readonly polls: Pick<DepositPolls, 'dueBefore' | 'reserve'>;
  readonly listClientIds: ListClientIds;
  readonly sendPoll: SendDepositPoll;
  readonly clock: Clock;
}

/** Milliseconds between two sweeps: a poll that becomes due between them is sent with its exact delay. */
const AHEAD = 60_000;

/** Milliseconds. Leaves time to finish before the function times out. */
export const RUNS_FOR = 45_000;

/** Polls of searches sent at the same time. */
export const SEARCHES_AT_ONCE = 10;

/**
 * Sends a message for every poll of a deposit or a searched hash that is due soon, and repeats lost messages. The
 * longer a poll is overdue, the more rarely its message is repeated, because the earlier ones may still wait in the
 * queue. Clients take turns with their searches. The next run continues where this one ends. A failed poll stops no
 * other.
 *
 * @returns the number of polls that it handled, or tried to handle
 */
export function releaseDueDeposits(deps: Dependencies) {
  return async (): Promise<number> => {
    const { polls, listClientIds, sendPoll, clock } = deps;
    const startedAt = clock.now().getTime();
    const before = new Date(startedAt + AHEAD).toISOString();
    const dueIn = (shard: string) => polls.dueBefore(shard, before);
    const searching = [...SEARCHERS_BESIDE_CLIENTS, ...(await listClientIds())];
    const searches = roundRobin(searching.map(hashShardOf).map(dueIn), clock);
    return await sweep(
      [...depositShards.map(dueIn), ...shareAmongConsumers(searches, SEARCHES_AT_ONCE)],
      (due) => reserveAndSend({ ...polls, clock }, due, due.nextPollAt, sendPoll),
      { clock, until: startedAt + RUNS_FOR, report: notReleased },
    );
  };
}

function notReleased({ custodianTransferId }: DuePoll, error: unknown): void {
  log.error('DEPOSIT_NOT_RELEASED', { custodianTransferId, cause: describe(error) });
}
