import type { listReturnsContract } from '#shared/off-ramps/contract/operator-lookups.ts';
import { type Deposit, depositStatusOf, operationOf } from '#shared/off-ramps/model/deposit.ts';
import { depositNextStep } from '#shared/off-ramps/model/next-step.ts';
import { sendingIdOf } from '#shared/off-ramps/model/returns.ts';
import type { OffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import type { ListReturns } from '#shared/off-ramps/store/return-lists.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { formatAge, listStart, MOST_LISTED, readablePage } from '#shared/platform/operators/list-answer.ts';
import type { ListOpenProposals } from '#shared/platform/operators/proposal-repository.ts';
import type { Proposal } from '#shared/platform/operators/proposals.ts';

interface Dependencies {
  readonly list: ListReturns;
  readonly operations: Pick<OffRamps, 'find'>;
  readonly listOpenProposals: ListOpenProposals;
  readonly clock: Clock;
  readonly heldSince: string | undefined;
}

export function listReturns({
  list,
  operations,
  listOpenProposals,
  clock,
  heldSince,
}: Dependencies): UseCase<typeof listReturnsContract> {
  async function rowOf(deposit: Deposit, proposals: readonly Proposal[], now: Date) {
    const { return: frozen, custodianTransferId, clientId, network } = deposit;
    // The return has ended since the index was read.
    if (frozen === undefined || depositStatusOf(deposit) !== 'RETURN_REQUESTED') return undefined;
    const operationId = operationOf(deposit);
    const { who, what } = depositNextStep(
      deposit,
      operationId === undefined ? undefined : await operations.find(operationId),
      { heldSince, proposals },
    );
    const { amount, assetId, address, tag, requestedBy, requestedAt: since, approvals, approversNeeded } = frozen;
    return {
      ...{ custodianTransferId, operationId, clientId, network, amount, assetId, address, tag, requestedBy },
      approvedBy: approvals.map(({ by }) => by),
      approversNeeded,
      ...(frozen.sendingAt !== undefined && { sending: sendingIdOf(deposit) }),
      ...{ since, age: formatAge(since, now), who, what },
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
