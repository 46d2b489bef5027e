import type { ListUnreadable } from '#shared/off-ramps/unreadable-deposits.ts';
import type { listUnreadable as contract } from '#shared/operators/lists.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { ageOf } from './age-of.ts';
import { MOST_LISTED, readablePage, sinceOf } from './list-answer.ts';

type Listed = Awaited<ReturnType<ListUnreadable>>['items'][number];

export function listUnreadable(list: ListUnreadable, clock: Clock): UseCase<typeof contract> {
  return async ({ query }) => {
    const now = clock.now();
    const { items: entries, ...page } = await list(sinceOf(query()), MOST_LISTED);
    const body = await readablePage(
      { entries, ...page },
      ({ custodianTransferId }) => custodianTransferId,
      (one) => rowOf(one, now),
    );
    return { body };
  };
}

/** What can be read by now waits for nobody. */
function rowOf(deposit: Listed, now: Date) {
  const { unreadableSince: since, unreadableFields: fields = '', network, nextPollAt } = deposit;
  if (since === undefined) return undefined;
  const what =
    network === undefined
      ? `Asks the custodian for its transaction. Of its notification cannot be read: ${fields}.`
      : `Asks the custodian for it${nextPollAt === undefined ? '' : ', as the service does on'}. Of the answer cannot be read: ${fields}.`;
  return { ...deposit, since, age: ageOf(since, now), who: 'FINANCE' as const, what };
}
