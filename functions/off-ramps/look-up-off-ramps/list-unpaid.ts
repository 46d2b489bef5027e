import type { listUnpaidContract } from '#shared/off-ramps/contract/operator-lookups.ts';
import { operationNextStep } from '#shared/off-ramps/model/next-step.ts';
import { type ListDepositsOf, readAllDepositsOf } from '#shared/off-ramps/store/deposit-lists.ts';
import type { ListPending } from '#shared/off-ramps/store/off-ramp-lists.ts';
import type { OffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { formatAge, listStart, MOST_LISTED, readablePage } from '#shared/platform/operators/list-answer.ts';

interface Dependencies {
  readonly listPending: ListPending;
  readonly operations: Pick<OffRamps, 'findWithVerification'>;
  readonly listDepositsOf: ListDepositsOf;
  readonly clock: Clock;
  /** Hours after the credit from which a payout is late. */
  readonly payoutHours: number;
}

const HOUR = 3600_000;

export function listUnpaid(deps: Dependencies): UseCase<typeof listUnpaidContract> {
  return async ({ query }) => {
    const now = deps.clock.now();
    const upTo = new Date(now.getTime() - deps.payoutHours * HOUR).toISOString();
    const page = await deps.listPending(listStart(query()), upTo, MOST_LISTED);
    const body = await readablePage(
      page,
      ({ operationId }) => operationId,
      (entry) => rowOf(deps, entry, now),
    );
    return { body };
  };
}

type Entry = Awaited<ReturnType<ListPending>>['items'][number];

/** Leaves out an off-ramp that was paid or ended meanwhile: the index may lag. */
async function rowOf(
  { operations, listDepositsOf }: Dependencies,
  { operationId, creditedAt: since }: Entry,
  now: Date,
) {
  const state = await operations.findWithVerification(operationId);
  if (state?.operation.status !== 'PENDING') return undefined;
  const { deposits } = await readAllDepositsOf(listDepositsOf, operationId);
  // Nothing is left for the client to do, so its approval does not matter.
  const { who, what } = operationNextStep({ ...state, deposits, isApproved: true, now });
  return { ...state.operation, since, age: formatAge(since, now), who, what };
}
