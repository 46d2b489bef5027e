import type { listDepositsContract } from '#shared/off-ramps/contract/deposit-contract.ts';
import { describeDeposit } from '#shared/off-ramps/contract/describe-deposit.ts';
import type { ReturnTerms } from '#shared/off-ramps/model/returns.ts';
import type { ListDepositsOf } from '#shared/off-ramps/store/deposit-lists.ts';
import type { OffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { ownedOffRamp } from '#shared/off-ramps/store/owned-off-ramp.ts';
import { invalidCursor } from '#shared/platform/http/page.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { log } from '#shared/platform/logger.ts';

interface Dependencies {
  readonly operations: Pick<OffRamps, 'findWithVerification'>;
  readonly listDepositsOf: ListDepositsOf;
  readonly terms: ReturnTerms;
}

export function listDeposits({
  operations,
  listDepositsOf,
  terms,
}: Dependencies): UseCase<typeof listDepositsContract> {
  return async ({ clientId, path, query }) => {
    const { operation } = await ownedOffRamp(operations, clientId, path);
    const page = await listDepositsOf(operation.operationId, query().cursor);
    if (page === undefined) throw invalidCursor();
    const { nextCursor, unreadableIds } = page;
    // An unreadable deposit hides no other: operators see it at its operation.
    for (const custodianTransferId of unreadableIds) log.error('ITEM_UNREADABLE', { id: custodianTransferId });
    const deposits = page.deposits.flatMap((deposit) => describeDeposit(deposit, operation, terms) ?? []);
    return { body: { deposits, ...(nextCursor !== undefined && { nextCursor }) } };
  };
}
