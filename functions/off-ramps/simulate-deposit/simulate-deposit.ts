import { normaliseTransactionHash, transactionHashFormat } from '#shared/networks/addresses-and-hashes.ts';
import type { Network, NetworkRules } from '#shared/networks/network.ts';
import { offRampErrors } from '#shared/off-ramps/contract/off-ramp-errors.ts';
import {
  type simulateDepositContract,
  simulatedDeposit,
} from '#shared/off-ramps/contract/off-ramp-sandbox-contract.ts';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import {
  type SimulatedTransfer,
  simulatedAssetId,
  simulatedTransferId,
} from '#shared/off-ramps/custodians/simulated/transactions.ts';
import { canonicalAmount } from '#shared/platform/amount.ts';
import { ApiError, type FieldError, invalid } from '#shared/platform/http/api-error.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { NOT_NOTIFIED } from '#shared/platform/notify-as-provider.ts';

interface Dependencies {
  /** False if another client has created the transaction. */
  readonly putTransfer: (transfer: SimulatedTransfer, clientId: string) => Promise<boolean>;
  /** False if it was not accepted. */
  readonly notify: (transfer: CustodianTransfer) => Promise<boolean>;
  readonly networkRules: Readonly<Record<Network, NetworkRules>>;
}

const INVALID_AMOUNT: FieldError = {
  path: 'body.amount',
  code: 'INVALID_AMOUNT',
  message: 'must be a positive decimal',
};

function invalidHash(network: Network): FieldError {
  const message = `must be a transaction hash of ${network}: ${transactionHashFormat(network)}`;
  return { path: 'body.txHash', code: 'INVALID_FORMAT', message };
}

export function simulateDeposit({
  putTransfer,
  notify,
  networkRules,
}: Dependencies): UseCase<typeof simulateDepositContract> {
  return async ({ clientId, body }) => {
    const deposit = body();
    const { network, state, transfer: number = 0, unavailable: isUnavailable = false } = deposit;
    const txHash = normaliseTransactionHash(network, deposit.txHash);
    const amount = canonicalAmount(deposit.amount);
    if (txHash === undefined || amount === undefined) {
      const errors = [txHash === undefined && invalidHash(network), amount === undefined && INVALID_AMOUNT];
      throw invalid(...errors.filter((error) => error !== false));
    }
    const custodianTransferId = simulatedTransferId(network, txHash, number);
    const confirmations =
      deposit.confirmations ?? (state === 'CONFIRMED' ? networkRules[network].minimumConfirmations : 0);
    const transfer: CustodianTransfer = {
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
    if (!(await putTransfer({ number, transfer, isUnavailable }, clientId)))
      throw new ApiError(offRampErrors.SANDBOX_DEPOSIT_TAKEN);
    if (deposit.notify === true && !(await notify(transfer))) {
      throw new ApiError(apiErrors.SERVICE_UNAVAILABLE, { detail: NOT_NOTIFIED, retryAfterSeconds: 1 });
    }
    return { body: simulatedDeposit.parse(transfer) };
  };
}
