import { type DepositPolls, type DuePoll, lostAfter } from '#shared/dynamodb/deposit-polls.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import { describe, log } from '#shared/runtime/logger.ts';
import { whileTimeLasts } from '#shared/runtime/while-time-lasts.ts';
import type { SendDepositPoll } from '#shared/sqs/deposit-polls.ts';

interface Dependencies {
  readonly polls: Pick<DepositPolls, 'dueBefore' | 'reserve'>;
  readonly shards: readonly string[];
  readonly sendPoll: SendDepositPoll;
  readonly clock: Clock;
}

/** Milliseconds. As long as from one sweep to the next: what falls due between two is handed out with its exact delay. */
const AHEAD = 60_000;

/** Milliseconds. Leaves time to finish what was begun before the function's own time is up. */
const RUNS_FOR = 45_000;

/**
 * Sends the message for every poll of a deposit, or of a hash that is looked for, that is due soon, and again for those
 * whose message was lost. What one run does not get to, the next one does; one that fails stops no other.
 *
 * @returns how many it found
 */
export function releaseDueDeposits(deps: Dependencies) {
  return async (): Promise<number> => {
    let found = 0;
    const startedAt = deps.clock.now().getTime();
    const before = new Date(startedAt + AHEAD).toISOString();
    await Promise.all(
      deps.shards.map(async (shard) => {
        const due = whileTimeLasts(deps.polls.dueBefore(shard, before), deps.clock, startedAt + RUNS_FOR);
        for await (const poll of due) {
          found += 1;
          await releaseOrReport(deps, poll);
        }
      }),
    );
    return found;
  };
}

async function releaseOrReport(deps: Dependencies, due: DuePoll): Promise<void> {
  try {
    await release(deps, due);
  } catch (error) {
    log.error('DEPOSIT_NOT_RELEASED', { custodianTransferId: due.custodianTransferId, cause: describe(error) });
  }
}

async function release({ polls, sendPoll, clock }: Dependencies, due: DuePoll): Promise<void> {
  const now = clock.now().getTime();
  const handedOutAt = new Date(Math.max(now, Date.parse(due.dueAt)));
  const poll = await polls.reserve(due, lostAfter(handedOutAt));
  if (poll !== undefined) await sendPoll(poll, (Date.parse(poll.nextPollAt) - now) / 1000);
}
