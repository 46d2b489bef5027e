import type { readDepositContract } from '#shared/off-ramps/contract/operator-lookups.ts';
import { describeDeposit } from '#shared/off-ramps/contract/operator-lookups.ts';
import { type Deposit, operationOf } from '#shared/off-ramps/model/deposit.ts';
import { depositNextStep } from '#shared/off-ramps/model/next-step.ts';
import type { ListDepositsOfHash } from '#shared/off-ramps/store/deposit-lists.ts';
import { isDepositKey } from '#shared/off-ramps/store/deposit-polls.ts';
import type { Deposits } from '#shared/off-ramps/store/deposit-repository.ts';
import type { OffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import type { ListChanges } from '#shared/platform/operators/list-changes.ts';

interface Dependencies {
  readonly deposits: Pick<Deposits, 'find'>;
  readonly operations: Pick<OffRamps, 'find'>;
  readonly listDepositsOfHash: ListDepositsOfHash;
  readonly listChanges: ListChanges;
  readonly heldSince: string | undefined;
}

export function readDeposit({
  deposits,
  operations,
  listDepositsOfHash,
  listChanges,
  heldSince,
}: Dependencies): UseCase<typeof readDepositContract> {
  /** An id finds one transfer; a hash finds every transfer of the transaction. */
  async function find(text: string): Promise<readonly Deposit[]> {
    if (!isDepositKey(text)) return [];
    const byId = await deposits.find(text);
    if (byId !== undefined) return [byId];
    for (const hash of new Set([text, text.toLowerCase()])) {
      const found = await listDepositsOfHash(hash);
      if (found.length > 0) return found;
    }
    return [];
  }

  return async ({ query }) => {
    const [found, ...others] = await find(query().deposit);
    if (found === undefined) {
      throw new ApiError(apiErrors.NOT_FOUND, {
        detail:
          'No transfer has this hash or id. An id begins with the name of its custodian, as in fireblocks:…. What nobody has reported so far: search-hash.',
      });
    }
    const { custodianTransferId, clientId, userId } = found;
    const operationId = operationOf(found);
    const [operation, changes] = await Promise.all([
      operationId === undefined ? undefined : operations.find(operationId),
      listChanges(custodianTransferId),
    ]);
    return {
      body: {
        ...found,
        operationId,
        ...describeDeposit(found),
        next: depositNextStep(found, operation, heldSince),
        ...(others.length > 0 && { othersOfHash: others.map((one) => one.custodianTransferId) }),
        changes,
      },
      ids: { operationId, clientId, userId, custodianTransferId },
    };
  };
}
