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

/** What happens to an off-ramp, each step made by the service's own function on the deployed tables. */
export function depositScenarios() {
  const parts = deployedParts();
  const { dynamo, tables, operations, verifications, beginAttempt, startExecution } = parts;

  /** A conflict that outlasts a call is met again by the next one, as in the state machine and behind the queue. */
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

    /** Verifies an operation without an event of it, which would have the simulated payout complete it in mid-test. */
    async verifyQuietly(operationId: string, at = new Date().toISOString()): Promise<string> {
      const { operation } = await state(operationId);
      const verifiedTxHash = newHash();
      const custodianTransferId = `test:${verifiedTxHash}`;
      const { network, userId, clientId } = operation;
      const lost = await transact(dynamo, {
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
      if (lost.size > 0) throw new Error(`The operation was written meanwhile: ${[...lost].join()}.`);
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

    /** The sweep, as it would run after so many minutes. */
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

    /** The write of a cancellation, decided on the operation as it is now; false when it awaits no deposit any more. */
    async cancel(operationId: string): Promise<boolean> {
      const { operation } = await state(operationId);
      if (operation.status !== 'AWAITING_DEPOSIT') return false;
      await endOperation(operation, { status: 'CANCELLED' });
      return true;
    },
  };
}
