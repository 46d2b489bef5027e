import type { Network, NetworkRules } from '#shared/networks/network.ts';
import type { AskForTransfers } from '#shared/off-ramps/custodians/custodian.ts';
import { nextPollTime, type PollAnswer } from '#shared/off-ramps/model/poll-schedule.ts';
import type { DepositPoll } from '#shared/off-ramps/store/deposit-polls.ts';
import type { Deposits } from '#shared/off-ramps/store/deposit-repository.ts';
import { type HashSearches, isNotified, reportingClientOf } from '#shared/off-ramps/store/hash-searches.ts';
import { askCustodian } from './ask-custodian.ts';
import { type ConcludeDependencies, concludePoll } from './conclude-poll.ts';
import { rememberEach } from './remember-found.ts';

interface Dependencies extends ConcludeDependencies {
  readonly searches: Pick<HashSearches, 'find'>;
  readonly deposits: Pick<Deposits, 'notFoundSince' | 'rememberFound'>;
  readonly findTransfers: AskForTransfers;
  readonly networkRules: Readonly<Record<Network, NetworkRules>>;
}

/**
 * Polls once for the transfers of a transaction whose hash was reported. Each transfer is handled like a notified one,
 * once per search: its own data decide its operation.
 */
export function searchHash(deps: Dependencies) {
  return async ({ custodianTransferId, nextPollAt }: DepositPoll): Promise<void> => {
    const search = await deps.searches.find(custodianTransferId);
    if (search?.nextPollAt !== nextPollAt) return;
    const { startsAt, endsAt, network } = search;
    // A transfer that an earlier poll found is a deposit by now, with polls of its own.
    const wasUnknown = (search.lastDueAt ?? startsAt) > startsAt;
    const isReported = !(wasUnknown || isNotified(search));
    const asked = { ...search, wasUnknown, isReported, reportedBy: reportingClientOf(search) };
    const { transfers, notBefore } = await askCustodian(deps, asked, startsAt);
    const now = deps.clock.now();
    const found = { at: now.toISOString(), ...(isNotified(search) && { isNotified: true as const }) };
    // Anybody can send thousands of transfers in one transaction: writing each one at each poll would take too long.
    const unknown = await deps.deposits.notFoundSince(startsAt, transfers ?? []);
    await rememberEach(deps, 'DEPOSIT_FOUND_BY_HASH', unknown, startsAt, found);
    const next = nextPollTime(
      now.getTime() / 1000,
      { startsAt: Date.parse(startsAt) / 1000, endsAt: Date.parse(endsAt) / 1000 },
      deps.networkRules[network].finalitySeconds,
      answerOf(transfers),
    );
    const later = next && Math.max(next, notBefore);
    await concludePoll(deps, { custodianTransferId, nextPollAt, endsAt }, { lastDueAt: now.toISOString() }, later);
  };
}

function answerOf(transfers: readonly unknown[] | undefined): PollAnswer {
  if (transfers === undefined) return 'NONE';
  return transfers.length === 0 ? 'NOT_FOUND' : 'FOUND';
}
