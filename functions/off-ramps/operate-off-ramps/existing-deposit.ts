import { offRampErrors } from '#shared/off-ramps/contract/off-ramp-contract.ts';
import type { Deposit } from '#shared/off-ramps/model/deposit.ts';
import type { FindDeposit } from '#shared/off-ramps/store/deposit-repository.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';

/** @throws {ApiError} NOT_FOUND */
export async function existing(
  { findDeposit }: { readonly findDeposit: FindDeposit },
  custodianTransferId: string,
): Promise<Deposit> {
  const deposit = await findDeposit(custodianTransferId);
  if (deposit !== undefined) return deposit;
  throw new ApiError(apiErrors.NOT_FOUND, { detail: 'The custodian has reported no transfer with this id.' });
}

export const statusConflict = (detail: string) => new ApiError(offRampErrors.OPERATION_STATUS_CONFLICT, { detail });
