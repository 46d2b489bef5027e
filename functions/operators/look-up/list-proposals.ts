import type { Clock } from '#shared/platform/clock.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { formatAge, listStart, MOST_LISTED, readablePage } from '#shared/platform/operators/list-answer.ts';
import type { FindProposal, ListProposals } from '#shared/platform/operators/proposal-repository.ts';
import { isOpen, type listProposalsContract, type Proposal } from '#shared/platform/operators/proposals.ts';

interface Dependencies {
  readonly findProposal: FindProposal;
  readonly listProposals: ListProposals;
  readonly clock: Clock;
}

export function listProposals({
  findProposal,
  listProposals,
  clock,
}: Dependencies): UseCase<typeof listProposalsContract> {
  return async ({ query }) => {
    const { proposal: proposalId, since } = query();
    const now = clock.now();
    if (proposalId === undefined) {
      const page = await listProposals(listStart({ since }), MOST_LISTED);
      return {
        body: await readablePage(
          page,
          (one) => one.proposalId,
          (one) => rowOf(one, now),
        ),
      };
    }
    const found = await findProposal(proposalId);
    const row = found && rowOf(found, now);
    if (row === undefined) throw new ApiError(apiErrors.NOT_FOUND, { detail: 'No open proposal has this id.' });
    return { body: { items: [row] } };
  };
}

/** Returns `undefined` for a proposal that is done or has expired, because the index may lag. */
function rowOf(found: Proposal, now: Date) {
  const { seen: _, doneAt: __, doneBy: ___, withdrawnAt: ____, proposedAt: since, ...proposal } = found;
  return isOpen(found, now) ? { ...proposal, since, age: formatAge(since, now) } : undefined;
}
