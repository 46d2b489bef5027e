import { offRampErrors } from '#shared/off-ramps/contract/off-ramp-contract.ts';
import type { simulateReturnContract } from '#shared/off-ramps/contract/off-ramp-sandbox-contract.ts';
import { prefixedId } from '#shared/off-ramps/custodians/normal-form.ts';
import type { SimulatedOutcomes } from '#shared/off-ramps/custodians/simulated/outcomes.ts';
import type { FindDeposit } from '#shared/off-ramps/store/deposit-repository.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';

interface Dependencies {
  readonly outcomes: Pick<SimulatedOutcomes, 'transferOf' | 'decide'>;
  readonly findDeposit: FindDeposit;
}

const NOT_SIMULATED =
  'The simulated custodian has no deposit of yours with this id. Only its own can be simulated: another custodian sends a deposit back itself.';

/** Sets the simulated custodian's answer about sending a deposit back, even before a return is requested. */
export function simulateReturn({ outcomes, findDeposit }: Dependencies): UseCase<typeof simulateReturnContract> {
  return async ({ clientId, path: { deposit_id: id }, body }) => {
    const { outcome } = body();
    const transferId = await outcomes.transferOf(id);
    const deposit = transferId === undefined ? undefined : await findDeposit(prefixedId('simulated', transferId));
    if (deposit?.clientId !== clientId) throw new ApiError(offRampErrors.DEPOSIT_NOT_FOUND, { detail: NOT_SIMULATED });
    await outcomes.decide(id, outcome);
    return { body: { id, outcome } };
  };
}
