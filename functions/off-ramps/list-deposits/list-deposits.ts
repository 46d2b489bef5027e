import type { listDepositsContract } from '#shared/off-ramps/contract/deposit-contract.ts';
import { type Deposit, depositIdOf, depositStatusOf } from '#shared/off-ramps/model/deposit.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import type { ListDepositsOf } from '#shared/off-ramps/store/deposit-lists.ts';
import type { OffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { ownedOffRamp } from '#shared/off-ramps/store/owned-off-ramp.ts';
import type { AssetAmounts } from '#shared/parameters/asset-amounts.ts';
import { canonicalAmount, compareAmounts } from '#shared/platform/amount.ts';
import { invalidCursor } from '#shared/platform/http/page.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { log } from '#shared/platform/logger.ts';

interface Dependencies {
  readonly operations: Pick<OffRamps, 'findWithVerification'>;
  readonly listDepositsOf: ListDepositsOf;
  /** The fees of sending a deposit back. */
  readonly returnFees: AssetAmounts;
}

type Shown = Awaited<ReturnType<UseCase<typeof listDepositsContract>>>['body']['deposits'][number];

export function listDeposits({
  operations,
  listDepositsOf,
  returnFees,
}: Dependencies): UseCase<typeof listDepositsContract> {
  return async ({ clientId, path, query }) => {
    const { operation } = await ownedOffRamp(operations, clientId, path);
    const page = await listDepositsOf(operation.operationId, query().cursor);
    if (page === undefined) throw invalidCursor();
    const { nextCursor, unreadableIds } = page;
    // An unreadable deposit hides no other: operators see it at its operation.
    for (const custodianTransferId of unreadableIds) log.warn('ITEM_UNREADABLE', { id: custodianTransferId });
    const deposits = page.deposits.flatMap((deposit) => describeDeposit(deposit, operation, returnFees));
    return { body: { deposits, ...(nextCursor !== undefined && { nextCursor }) } };
  };
}

/** Nothing for a deposit that its client was not told of. */
function describeDeposit(
  { custodianTransferId, transfer, reasons, detectedAt, updatedAt, sequence, ...deposit }: Deposit,
  operation: OffRamp,
  returnFees: AssetAmounts,
): readonly Shown[] {
  const status = depositStatusOf({ ...deposit, transfer, reasons });
  if (transfer === undefined || status === undefined) return [];
  if (detectedAt === undefined || updatedAt === undefined || sequence === undefined) return [];
  const { network, txHash } = deposit;
  const { assetId, amount, fromAddress, toAddress, toTag, confirmations, requiredConfirmations } = transfer;
  const isToken = network === operation.network && assetId === operation.custodianAssetId;
  return [
    {
      id: depositIdOf(custodianTransferId),
      status,
      ...(status === 'UNMATCHED' && { reasons }),
      returnable: status === 'UNMATCHED' && deposit.settled === undefined && isMoreThan(returnFees[assetId], amount),
      network,
      txHash,
      token: isToken ? operation.token : assetId,
      amount,
      fromAddress,
      toAddress,
      ...(toTag && { addressTag: toTag }),
      confirmations,
      requiredConfirmations,
      detectedAt,
      updatedAt,
      sequence,
    },
  ];
}

/** Whether it is worth returning. An unknown token has no fee. */
function isMoreThan(fee: string | undefined, given: string): boolean {
  const amount = canonicalAmount(given);
  return fee !== undefined && amount !== undefined && compareAmounts(amount, fee) > 0;
}
