import type { ListUnreadable } from '#shared/off-ramps/store/finance-lists.ts';
import type { listUnreadableContract } from '#shared/operators/lookups.ts';
import type { Payin } from '#shared/pay-ins/pay-in.ts';
import type { ListUnreadablePayins } from '#shared/pay-ins/pay-in-lists.ts';
import { UNREADABLE_STEP } from '#shared/pay-ins/pay-in-next-step.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { formatAge, listPage, listStart, MOST_LISTED, readablePage } from '#shared/platform/operators/list-answer.ts';

type Listed = Awaited<ReturnType<ListUnreadable>>['items'][number];

interface Dependencies {
  readonly listDeposits: ListUnreadable;
  readonly listPayins: ListUnreadablePayins;
  readonly clock: Clock;
}

export function listUnreadable({
  listDeposits,
  listPayins,
  clock,
}: Dependencies): UseCase<typeof listUnreadableContract> {
  return async ({ query }) => {
    const now = clock.now();
    const since = listStart(query());
    const [deposits, payins] = await Promise.all([listDeposits(since, MOST_LISTED), listPayins(since, MOST_LISTED)]);
    const [ofDeposits, ofPayins] = await Promise.all([
      readablePage(
        deposits,
        ({ custodianTransferId }) => custodianTransferId,
        (one) => rowOf(one, now),
      ),
      readablePage(
        payins,
        ({ payinId }) => payinId,
        (one) => rowOfPayin(one, now),
      ),
    ]);
    return { body: mergePages(ofDeposits, ofPayins) };
  };
}

interface Since {
  readonly since: string;
}

type Page<Row> = Awaited<ReturnType<typeof readablePage<object, Row>>>;

/** Merges two lists' pages, up to where the first of them continues. The result may have the size of two pages. */
function mergePages<One extends Since, Other extends Since>(one: Page<One>, other: Page<Other>): Page<One | Other> {
  const [upTo] = [one.nextSince, other.nextSince].filter((time) => time !== undefined).toSorted();
  const rows = [...one.items, ...other.items]
    .filter(({ since }) => upTo === undefined || since <= upTo)
    .toSorted((first, second) => first.since.localeCompare(second.since));
  const unreadableIds = [...(one.unreadableIds ?? []), ...(other.unreadableIds ?? [])];
  return {
    ...listPage(rows, upTo),
    ...(unreadableIds.length > 0 && { unreadableIds }),
  };
}

/** Shows only the step for the unreadable answer; other lists show the pay-in's other steps. */
function rowOfPayin(payin: Payin, now: Date) {
  const { unreadableSince: since } = payin;
  if (since === undefined) return undefined;
  return { ...payin, since, age: formatAge(since, now), ...UNREADABLE_STEP };
}

/** Leaves out a transfer that has become readable. */
function rowOf(deposit: Listed, now: Date) {
  const { unreadableSince: since, unreadableFields: fields = '', network, nextPollAt, transfer } = deposit;
  if (since === undefined) return undefined;
  const what =
    network === undefined
      ? `Asks the custodian for its transaction. Unreadable fields of its notification: ${fields}.`
      : `Asks the custodian for it${nextPollAt === undefined ? '' : ', as the service does on'}. Unreadable fields of the answer: ${fields}.`;
  const end =
    transfer === undefined || nextPollAt === undefined
      ? ` If it never gives a readable answer: give-up-unreadable ${deposit.custodianTransferId}.`
      : '';
  return { ...deposit, since, age: formatAge(since, now), who: 'FINANCE' as const, what: `${what}${end}` };
}
