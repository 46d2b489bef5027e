import { offRampErrors } from '#shared/off-ramps/contract/off-ramp-contract.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import type { OffRampState, OffRamps } from './off-ramp-repository.ts';

interface OffRampPath {
  readonly user_id: string;
  readonly operation_id: string;
}

/**
 * Reads the off-ramp of a path, if it belongs to the calling client and the named user. Any other off-ramp is answered
 * like an unknown one, so that its existence is not confirmed.
 *
 * @throws {ApiError} OFF_RAMP_NOT_FOUND
 */
export async function ownedOffRamp(
  operations: Pick<OffRamps, 'findWithVerification'>,
  clientId: string,
  path: OffRampPath,
): Promise<OffRampState> {
  const state = await operations.findWithVerification(path.operation_id);
  if (state?.operation.clientId !== clientId || state.operation.userId !== path.user_id) {
    throw new ApiError(offRampErrors.OFF_RAMP_NOT_FOUND);
  }
  return state;
}
