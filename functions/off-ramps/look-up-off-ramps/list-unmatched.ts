import { describeDepositForOperator, type listUnmatchedContract } from '#shared/off-ramps/contract/operator-lookups.ts';
import { type Deposit, operationOf } from '#shared/off-ramps/model/deposit.ts';
import { depositNextStep } from '#shared/off-ramps/model/next-step.ts';
import type { ListUnmatched } from '#shared/off-ramps/store/finance-lists.ts';
import type { OffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { formatAge, listStart, MOST_LISTED, readablePage } from '#shared/platform/operators/list-answer.ts';
import type { ListOpenProposals } from '#shared/platform/operators/proposal-repository.ts';
import type { Proposal } from '#shared/platform/operators/proposals.ts';

interface Dependencies {
  readonly list: ListUnmatched;
  readonly operations: Pick<OffRamps, 'find'>;
  readonly listOpenProposals: ListOpenProposals;
  readonly clock: Clock;
}

export function listUnmatched({
  list,
  operations,
  listOpenProposals,
  clock,
}: Dependencies): UseCase<typeof listUnmatchedContract> {
  async function rowOf(deposit: Deposit, proposals: readonly Proposal[], now: Date) {
    const { unmatchedSince: since, clientId } = deposit;
    // The deposit was settled since the index was read.
    if (since === undefined) return undefined;
    const operationId = operationOf(deposit);
    const operation = operationId === undefined ? undefined : await operations.find(operationId);
    const { who, what } = depositNextStep(deposit, operation, { proposals });
    return {
      ...describeDepositForOperator(deposit),
      operationId,
      clientId,
      since,
      age: formatAge(since, now),
      who,
      what,
    };
  }

  return async ({ query }) => {
    const now = clock.now();
    const page = await list(listStart(query()), MOST_LISTED);
    const proposals = await listOpenProposals();
    const body = await readablePage(
      page,
      ({ custodianTransferId }) => custodianTransferId,
      (deposit) => rowOf(deposit, proposals, now),
    );
    return { body };
  };
}
