import type * as z from 'zod/mini';
import { knownSpelling } from '#shared/networks/network.ts';
import { type Deposit, type DepositReturn, depositIdOf, depositStatusOf } from '#shared/off-ramps/model/deposit.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { type ReturnTerms, returnHindrances } from '#shared/off-ramps/model/returns.ts';
import { type shownDeposit, shownReturn } from './deposit-contract.ts';

/** A deposit as its client reads it; `undefined` for a deposit that the client does not see. */
export function describeDeposit(
  deposit: Deposit,
  operation: OffRamp,
  terms: ReturnTerms,
): z.infer<typeof shownDeposit> | undefined {
  const { custodianTransferId, transfer, reasons, detectedAt, updatedAt, sequence, network, txHash } = deposit;
  const status = depositStatusOf(deposit);
  if (transfer === undefined || status === undefined) return undefined;
  if (detectedAt === undefined || updatedAt === undefined || sequence === undefined) return undefined;
  const { assetId, amount, fromAddress, toAddress, toTag, confirmations, requiredConfirmations } = transfer;
  const isToken = network === operation.network && assetId === operation.custodianAssetId;
  const returned = returnOf(deposit);
  return {
    id: depositIdOf(custodianTransferId),
    status,
    ...(status === 'UNMATCHED' && { reasons }),
    returnable: returnHindrances(deposit, operation, terms).length === 0,
    network,
    txHash,
    token: isToken ? operation.token : assetId,
    amount,
    fromAddress: knownSpelling(network, fromAddress, operation.senderAddress) ?? fromAddress,
    toAddress: knownSpelling(network, toAddress, operation.address) ?? toAddress,
    ...(toTag && { addressTag: toTag }),
    confirmations,
    requiredConfirmations,
    detectedAt,
    updatedAt,
    sequence,
    ...(returned && { return: shownReturn.parse(returned) }),
  };
}

/** The return of a deposit. If it was sent back before the service made returns, from what finance has recorded. */
function returnOf({ return: known, settled, transfer }: Deposit): Partial<DepositReturn> | undefined {
  if (known !== undefined || settled?.outcome !== 'RETURNED' || transfer === undefined) return known;
  const { amount, fromAddress: address } = transfer;
  return { amount, fee: '0', address, requestedAt: settled.at, txHash: settled.hash };
}
