import { type Network, normaliseTransactionHash, transactionHashFormat } from '#shared/networks/network.ts';
import { offRampErrors } from '#shared/off-ramps/contract/off-ramp-contract.ts';
import {
  type simulateDepositContract,
  simulatedDeposit,
} from '#shared/off-ramps/contract/off-ramp-sandbox-contract.ts';
import type { NotifiedTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import { prefixedId } from '#shared/off-ramps/custodians/normal-form.ts';
import {
  type SimulatedTransfer,
  simulatedAssetId,
  simulatedMinimums,
  simulatedTransferId,
} from '#shared/off-ramps/custodians/simulated/transactions.ts';
import { depositIdOf } from '#shared/off-ramps/model/deposit.ts';
import { canonicalAmount } from '#shared/platform/amount.ts';
import { ApiError, type FieldError, invalid } from '#shared/platform/http/api-error.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { NOT_NOTIFIED } from '#shared/platform/notify-as-provider.ts';

interface Dependencies {
  /** The custodian of each network that is served. */
  readonly custodianNames: Readonly<Partial<Record<Network, string>>>;
  /** False if another client has created the transaction. */
  readonly putTransfer: (
    transfer: SimulatedTransfer,
    of: { readonly clientId: string; readonly depositId: string },
  ) => Promise<boolean>;
  /** False if it was not accepted. */
  readonly notify: (transfer: NotifiedTransfer) => Promise<boolean>;
}

const INVALID_AMOUNT: FieldError = {
  path: 'body.amount',
  code: 'INVALID_AMOUNT',
  message: 'must be a positive decimal',
};

/** The error for a network whose deposits come from a real custodian or from the chain itself. */
function notSimulated(network: Network): FieldError {
  const message = `must be a network of the simulated custodian: ${network} has another one here, which sees only real transfers, or none`;
  return { path: 'body.network', code: 'NOT_SIMULATED', message };
}

function invalidHash(network: Network): FieldError {
  const message = `must be a transaction hash of ${network}: ${transactionHashFormat(network)}`;
  return { path: 'body.txHash', code: 'INVALID_FORMAT', message };
}

export function simulateDeposit({
  custodianNames,
  putTransfer,
  notify,
}: Dependencies): UseCase<typeof simulateDepositContract> {
  return async ({ clientId, body }) => {
    const deposit = body();
    const { network, state, transfer: number = 0, unavailable: isUnavailable = false } = deposit;
    if (custodianNames[network] !== 'simulated') throw invalid(notSimulated(network));
    const txHash = normaliseTransactionHash(network, deposit.txHash);
    const amount = canonicalAmount(deposit.amount);
    if (txHash === undefined || amount === undefined) {
      const errors = [txHash === undefined && invalidHash(network), amount === undefined && INVALID_AMOUNT];
      throw invalid(...errors.filter((error) => error !== false));
    }
    const custodianTransferId = simulatedTransferId(network, txHash, number);
    const confirmations = deposit.confirmations ?? (state === 'CONFIRMED' ? simulatedMinimums[network] : 0);
    const transfer: SimulatedTransfer['transfer'] = {
      custodianTransferId,
      network,
      txHash,
      state,
      toAddress: deposit.toAddress,
      toTag: deposit.addressTag,
      fromAddress: deposit.fromAddress,
      assetId: simulatedAssetId(network, deposit.token),
      amount,
      confirmations,
    };
    // The id under which the service and its operators know the transfer.
    const named = prefixedId('simulated', custodianTransferId);
    if (!(await putTransfer({ number, transfer, isUnavailable }, { clientId, depositId: depositIdOf(named) })))
      throw new ApiError(offRampErrors.SANDBOX_DEPOSIT_TAKEN);
    if (deposit.notify === true && !(await notify(transfer))) {
      throw new ApiError(apiErrors.SERVICE_UNAVAILABLE, { detail: NOT_NOTIFIED, retryAfterSeconds: 1 });
    }
    return { body: simulatedDeposit.parse({ ...transfer, custodianTransferId: named }) };
  };
}
