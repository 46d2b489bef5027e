import { moneyOf } from '#shared/pay-ins/pay-in.ts';
import type { ListMismatched } from '#shared/pay-ins/pay-in-lists.ts';
import type { listMismatchedContract } from '#shared/pay-ins/pay-in-lookups.ts';
import { payinNextStep } from '#shared/pay-ins/pay-in-next-step.ts';
import type { FindPolledPayin, PolledPayin } from '#shared/pay-ins/pay-in-repository.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { formatAge, listStart, MOST_LISTED, readablePage } from '#shared/platform/operators/list-answer.ts';
import type { ListOpenProposals } from '#shared/platform/operators/proposal-repository.ts';
import type { Proposal } from '#shared/platform/operators/proposals.ts';

interface Dependencies {
  readonly list: ListMismatched;
  readonly findPayin: FindPolledPayin;
  readonly listOpenProposals: ListOpenProposals;
  readonly clock: Clock;
}

export function listMismatched({
  list,
  findPayin,
  listOpenProposals,
  clock,
}: Dependencies): UseCase<typeof listMismatchedContract> {
  return async ({ query }) => {
    const now = clock.now();
    const page = await list(listStart(query()), now.toISOString(), MOST_LISTED);
    const proposals = await listOpenProposals();
    const body = await readablePage(
      page,
      ({ payinId }) => payinId,
      async ({ payinId }) => rowOf(await findPayin(payinId), proposals, now),
    );
    return { body };
  };
}

function rowOf(payin: PolledPayin | undefined, proposals: readonly Proposal[], now: Date) {
  // An operator or the rail has ended the mismatch since the index was read.
  if (payin?.mismatchedAt === undefined) return undefined;
  const [{ amount, currency }, since] = [moneyOf(payin), payin.mismatchedAt];
  const { who, what } = payinNextStep(payin, proposals, now);
  return { ...payin, paid: `${amount} ${currency}`, since, age: formatAge(since, now), who, what };
}
