import type { listOwedContract } from '#shared/off-ramps/contract/operator-lookups.ts';
import { isOwed } from '#shared/off-ramps/model/contradictions.ts';
import { type Deposit, depositStatusOf } from '#shared/off-ramps/model/deposit.ts';
import { depositNextStep } from '#shared/off-ramps/model/next-step.ts';
import type { ListOwed } from '#shared/off-ramps/store/finance-lists.ts';
import type { OffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { formatAge, listStart, MOST_LISTED, readablePage } from '#shared/platform/operators/list-answer.ts';
import type { ListOpenProposals } from '#shared/platform/operators/proposal-repository.ts';
import type { Proposal } from '#shared/platform/operators/proposals.ts';

interface Dependencies {
  readonly listOwed: ListOwed;
  readonly operations: Pick<OffRamps, 'find'>;
  readonly listOpenProposals: ListOpenProposals;
  readonly clock: Clock;
}

export function listOwed(deps: Dependencies): UseCase<typeof listOwedContract> {
  return async ({ query }) => {
    const now = deps.clock.now();
    const page = await deps.listOwed(listStart(query()), MOST_LISTED);
    const proposals = await deps.listOpenProposals();
    const body = await readablePage(
      page,
      ({ custodianTransferId }) => custodianTransferId,
      (deposit) => rowOf(deps, deposit, proposals, now),
    );
    return { body };
  };
}

/** Leaves out deposits that were taken back, which are owed to nobody, and any no longer owed: the index may lag. */
async function rowOf({ operations }: Dependencies, deposit: Deposit, proposals: readonly Proposal[], now: Date) {
  const { operationId, owedSince: since, custodianTransferId } = deposit;
  if (operationId === undefined || since === undefined || depositStatusOf(deposit) !== 'CREDITED') return undefined;
  if (deposit.settled !== undefined) return undefined;
  const operation = await operations.find(operationId);
  if (operation === undefined || !isOwed(operation)) return undefined;
  const { who, what } = depositNextStep(deposit, operation, { proposals });
  return { ...operation, custodianTransferId, since, age: formatAge(since, now), who, what };
}
