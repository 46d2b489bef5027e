import { describeDepositForOperator, type readDepositContract } from '#shared/off-ramps/contract/operator-lookups.ts';
import { operationOf } from '#shared/off-ramps/model/deposit.ts';
import { depositNextStep } from '#shared/off-ramps/model/next-step.ts';
import type { ListDepositsOfHash } from '#shared/off-ramps/store/deposit-lists.ts';
import { isDepositKey } from '#shared/off-ramps/store/deposit-polls.ts';
import type { Deposits } from '#shared/off-ramps/store/deposit-repository.ts';
import type { OffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import type { ListChanges } from '#shared/platform/operators/list-changes.ts';
import type { ListOpenProposals } from '#shared/platform/operators/proposal-repository.ts';

interface Dependencies {
  readonly deposits: Pick<Deposits, 'find'>;
  readonly operations: Pick<OffRamps, 'find'>;
  readonly listDepositsOfHash: ListDepositsOfHash;
  readonly listChanges: ListChanges;
  readonly listOpenProposals: ListOpenProposals;
  readonly heldSince: string | undefined;
}

export function readDeposit({
  deposits,
  operations,
  listDepositsOfHash,
  listChanges,
  listOpenProposals,
  heldSince,
}: Dependencies): UseCase<typeof readDepositContract> {
  /** An id finds one transfer; a hash finds every transfer of the transaction. */
  async function find(text: string): ReturnType<ListDepositsOfHash> {
    const none = { deposits: [], unreadableIds: [] };
    if (!isDepositKey(text)) return none;
    const byId = await deposits.find(text);
    if (byId !== undefined) return { ...none, deposits: [byId] };
    for (const hash of new Set([text, text.toLowerCase()])) {
      const found = await listDepositsOfHash(hash);
      if (found.deposits.length + found.unreadableIds.length > 0) return found;
    }
    return none;
  }

  return async ({ query }) => {
    const { deposits: readable, unreadableIds } = await find(query().deposit);
    const [found, ...others] = readable;
    if (found === undefined) throw new ApiError(apiErrors.NOT_FOUND, { detail: whyNone(unreadableIds) });
    const othersOfHash = [...others.map((one) => one.custodianTransferId), ...unreadableIds];
    const { custodianTransferId, clientId, userId } = found;
    const operationId = operationOf(found);
    const [operation, changes, proposals] = await Promise.all([
      operationId === undefined ? undefined : operations.find(operationId),
      listChanges(custodianTransferId),
      listOpenProposals(),
    ]);
    return {
      body: {
        ...found,
        operationId,
        ...describeDepositForOperator(found),
        next: depositNextStep(found, operation, { heldSince, proposals }),
        ...(othersOfHash.length > 0 && { othersOfHash }),
        changes,
      },
      ids: { operationId, clientId, userId, custodianTransferId },
    };
  };
}

function whyNone(unreadableIds: readonly string[]): string {
  return unreadableIds.length > 0
    ? `Its item in the table of deposits cannot be read: ${unreadableIds.join(', ')}. Look at it there, and fix the code that reads or wrote it.`
    : 'No transfer has this hash or id. An id begins with the name of its custodian, as in fireblocks:…. What nobody has reported so far: search-hash.';
}
