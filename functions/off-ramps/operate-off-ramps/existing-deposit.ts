import { offRampErrors } from '#shared/off-ramps/contract/off-ramp-contract.ts';
import { type Deposit, depositStatusOf, operationOf } from '#shared/off-ramps/model/deposit.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import type { FindDeposit } from '#shared/off-ramps/store/deposit-repository.ts';
import type { OffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';

export const noSuchTransfer = () =>
  new ApiError(apiErrors.NOT_FOUND, {
    detail:
      'No transfer has this id. It begins with the name of its custodian, as in fireblocks:…: deposit <hash> and operation show all of it.',
  });

/** @throws {ApiError} NOT_FOUND */
export async function findExistingDeposit(
  { findDeposit }: { readonly findDeposit: FindDeposit },
  custodianTransferId: string,
): Promise<Deposit> {
  const deposit = await findDeposit(custodianTransferId);
  if (deposit !== undefined) return deposit;
  throw noSuchTransfer();
}

/** Finds the off-ramp whose address received the deposit, credited or not. */
export async function findOperationOfAddress(
  { operations }: { readonly operations: Pick<OffRamps, 'find'> },
  deposit: Deposit,
): Promise<OffRamp | undefined> {
  const operationId = operationOf(deposit);
  return operationId === undefined ? undefined : operations.find(operationId);
}

export const statusConflict = (detail: string) => new ApiError(offRampErrors.OPERATION_STATUS_CONFLICT, { detail });

/** The status in the text of a refusal. A deposit has none until the custodian was asked for it. */
export const statusInWords = (deposit: Deposit) => depositStatusOf(deposit) ?? 'not seen yet';
