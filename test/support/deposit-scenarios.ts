import { restartLostVerifications } from '#functions/off-ramps/restart-lost-verifications/restart-lost-verifications.ts';
import { createListClientIds } from '#shared/clients/client-directory.ts';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import type { Verification } from '#shared/off-ramps/model/verification.ts';
import { fundWithHash, releaseDeclaration } from '#shared/off-ramps/store/claims.ts';
import { markCredited, type OffRampState } from '#shared/off-ramps/store/off-ramp-repository.ts';
import type { CreditDeposit } from '#shared/off-ramps/transitions/credit-deposit.ts';
import { createEndOperation } from '#shared/off-ramps/transitions/end-operation.ts';
import { createRestartOverdue } from '#shared/off-ramps/transitions/verification-executions.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { ConflictPersists, transact } from '#shared/platform/dynamodb/transaction.ts';
import { deployedParts } from './deployed.ts';
import { newHash } from './http-client.ts';

/** The steps of an off-ramp, each made by the service's own function on the deployed tables. */
export function depositScenarios() {
  const parts = deployedParts();
  const { dynamo, tables, operations, verifications, beginAttempt, startExecution } = parts;

  /** Calls again after a conflict that persists, as the state machine and the queue do. */
  const creditDeposit: CreditDeposit = async (operationId, transfer) => {
    try {
      return await parts.creditDeposit(operationId, transfer);
    } catch (error) {
      if (error instanceof ConflictPersists) return creditDeposit(operationId, transfer);
      throw error;
    }
  };

  const endOperation = createEndOperation(dynamo, tables, systemClock);

  const state = async (operationId: string): Promise<OffRampState> => {
    const found = await operations.findWithVerification(operationId);
    if (found === undefined) throw new Error(`There is no operation ${operationId}.`);
    return found;
  };

  return {
    ...parts,
    creditDeposit,
    state,

    /** Verifies an operation without an event: the simulated payout would complete it in the middle of the test. */
    async verifyQuietly(operationId: string, at = new Date().toISOString()): Promise<string> {
      const { operation } = await state(operationId);
      const verifiedTxHash = newHash();
      const custodianTransferId = `test:${verifiedTxHash}`;
      const { network, userId, clientId } = operation;
      const failed = await transact(dynamo, {
        operation: markCredited(tables.operations, operation, at, verifiedTxHash),
        funded: fundWithHash(tables.hashes, { txHash: verifiedTxHash, custodianTransferId }, operationId),
        ...releaseDeclaration(tables.hashes, operation, verifiedTxHash),
        deposit: {
          Put: {
            TableName: tables.deposits,
            Item: {
              ...{ custodianTransferId, network, txHash: verifiedTxHash },
              ...{ firstNotifiedAt: at, lastNotifiedAt: at, detectedAt: at, operationId, userId, clientId },
              creditedAt: at,
            },
          },
        },
      });
      if (failed.size > 0) throw new Error(`The operation was written meanwhile: ${[...failed].join()}.`);
      return verifiedTxHash;
    },

    /** The confirmed transfer that the operation waits for. */
    async transferFor(operationId: string, txHash: string): Promise<CustodianTransfer> {
      const { operation } = await state(operationId);
      return {
        custodianTransferId: `test:${txHash}`,
        network: operation.network,
        txHash,
        state: 'CONFIRMED',
        toAddress: operation.address,
        fromAddress: operation.senderAddress,
        assetId: operation.custodianAssetId,
        amount: operation.amount,
        confirmations: 100,
        createdAt: operation.createdAt,
      };
    },

    /** Declares a hash, and stops before the execution is started. */
    async declare(operationId: string, txHash: string): Promise<Verification> {
      const current = await state(operationId);
      return beginAttempt(current, { txHash, windowEndsAt: current.operation.expiresAt });
    },

    /** Runs the sweep as it would run this many minutes later. */
    sweep(minutesLater: number): Promise<number> {
      const later: Clock = { ...systemClock, now: () => new Date(Date.now() + minutesLater * 60_000) };
      return restartLostVerifications({
        operations,
        verifications,
        listClientIds: createListClientIds(dynamo, tables.clients),
        restartOverdue: createRestartOverdue({ verifications, startExecution, clock: later }),
        clock: later,
      })();
    },

    /** Cancels the operation as it is now; false if it no longer awaits a deposit. */
    async cancel(operationId: string): Promise<boolean> {
      const { operation } = await state(operationId);
      if (operation.status !== 'AWAITING_DEPOSIT') return false;
      await endOperation(operation, { status: 'CANCELLED' });
      return true;
    },
  };
}
