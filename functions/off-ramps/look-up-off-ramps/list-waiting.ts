import { type FindClient, isApproved } from '#shared/clients/client-repository.ts';
import type { listWaitingContract } from '#shared/off-ramps/contract/operator-lookups.ts';
import { operationNextStep } from '#shared/off-ramps/model/next-step.ts';
import { hashStatusOf } from '#shared/off-ramps/model/off-ramp.ts';
import { type ListDepositsOf, readAllDepositsOf } from '#shared/off-ramps/store/deposit-lists.ts';
import type { ListAwaiting } from '#shared/off-ramps/store/off-ramp-lists.ts';
import type { OffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { formatAge, listStart, MOST_LISTED, readablePage } from '#shared/platform/operators/list-answer.ts';
import type { ListOpenProposals } from '#shared/platform/operators/proposal-repository.ts';
import type { Proposal } from '#shared/platform/operators/proposals.ts';

interface Dependencies {
  readonly listAwaiting: ListAwaiting;
  readonly operations: Pick<OffRamps, 'findWithVerification'>;
  readonly listDepositsOf: ListDepositsOf;
  readonly findClient: FindClient;
  readonly listOpenProposals: ListOpenProposals;
  readonly heldSince: string | undefined;
  readonly clock: Clock;
}

export function listWaiting(deps: Dependencies): UseCase<typeof listWaitingContract> {
  return async ({ query }) => {
    const since = listStart(query());
    const now = deps.clock.now();
    const page = await deps.listAwaiting(since, now.toISOString(), MOST_LISTED);
    const proposals = await deps.listOpenProposals();
    const body = await readablePage(
      page,
      ({ operationId }) => operationId,
      ({ operationId }) => rowOf(deps, operationId, proposals, now),
    );
    return { body };
  };
}

/** Leaves out an off-ramp that no longer awaits its deposit: the index may lag. */
async function rowOf(
  { operations, listDepositsOf, findClient, heldSince }: Dependencies,
  operationId: string,
  proposals: readonly Proposal[],
  now: Date,
) {
  const state = await operations.findWithVerification(operationId);
  if (state?.operation.status !== 'AWAITING_DEPOSIT') return undefined;
  const { operation, verification } = state;
  const [{ deposits }, client] = await Promise.all([
    readAllDepositsOf(listDepositsOf, operationId),
    findClient(operation.clientId),
  ]);
  const { who, what } = operationNextStep({
    ...state,
    deposits,
    proposals,
    heldSince,
    isApproved: isApproved(client),
    now,
  });
  const since = operation.expiresAt;
  return {
    ...operation,
    hash: hashStatusOf(operation),
    ...(verification?.reason !== undefined && { reason: verification.reason }),
    ...{ since, age: formatAge(since, now), who, what },
  };
}
