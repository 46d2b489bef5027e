import { randomUUID } from 'node:crypto';
import { checkDeposit } from '#functions/off-ramps/check-deposit/check-deposit.ts';
import { matchDeposit } from '#functions/off-ramps/match-deposit/match-deposit.ts';
import { restartLostVerifications } from '#functions/off-ramps/restart-lost-verifications/restart-lost-verifications.ts';
import { createListClientIds } from '#shared/clients/client-directory.ts';
import type { NetworkRules } from '#shared/networks/network.ts';
import { networkSpecs } from '#shared/networks/network.ts';
import { createFindAddressOwners } from '#shared/off-ramps/assigned-addresses.ts';
import { markCredited } from '#shared/off-ramps/change-status.ts';
import type { ConfirmDeposit } from '#shared/off-ramps/confirm-deposit.ts';
import { createOperation } from '#shared/off-ramps/create-operation.ts';
import type { FindTransfers } from '#shared/off-ramps/custodians/custodian.ts';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian-transfer.ts';
import type { DepositPoll } from '#shared/off-ramps/deposit-polls.ts';
import { createEndOperation } from '#shared/off-ramps/end-operation.ts';
import { createEndWindow } from '#shared/off-ramps/end-window.ts';
import { releaseDeclaration } from '#shared/off-ramps/hash-claims.ts';
import type { OffRamp } from '#shared/off-ramps/off-ramp.ts';
import type { OffRampState } from '#shared/off-ramps/off-ramp-store.ts';
import { createCountDepositsOf } from '#shared/off-ramps/operation-deposits.ts';
import { createRememberSeen } from '#shared/off-ramps/seen-deposits.ts';
import type { Verification } from '#shared/off-ramps/verification.ts';
import { createRestartOverdue } from '#shared/off-ramps/verification-executions.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { ConflictPersists, retryOnConflict } from '#shared/platform/dynamodb/retry-on-conflict.ts';
import { transact } from '#shared/platform/dynamodb/transaction.ts';
import { mapValues } from '#shared/platform/map-values.ts';
import { deployedParts } from './deployed.ts';
import { newHash } from './http-client.ts';

const rule: NetworkRules = { finalitySeconds: 2, minimumConfirmations: 1 };

const networkRules = mapValues(networkSpecs, () => rule);

/** The moves of a race, each made by the service's own function on the deployed tables. */
export function depositScenarios() {
  const parts = deployedParts();
  const { dynamo, tables, operations, verifications, deposits, beginAttempt, startExecution } = parts;

  /** A conflict that outlasts a call is met again by the next one, as in the state machine and behind the queue. */
  const confirmDeposit: ConfirmDeposit = async (operationId, transfer) => {
    try {
      return await parts.confirmDeposit(operationId, transfer);
    } catch (error) {
      if (error instanceof ConflictPersists) return confirmDeposit(operationId, transfer);
      throw error;
    }
  };

  const endOperation = createEndOperation(dynamo, tables, systemClock, randomUUID);

  const state = async (operationId: string): Promise<OffRampState> => {
    const found = await operations.findWithVerification(operationId);
    if (found === undefined) throw new Error(`There is no operation ${operationId}.`);
    return found;
  };

  return {
    ...parts,
    confirmDeposit,
    state,

    /** The next operation with the address of another one, as a custodian assigns it where making one costs money. */
    async atAddressOf(operationId: string, differences: Partial<OffRamp> = {}): Promise<OffRamp> {
      const { operation } = await state(operationId);
      const now = new Date().toISOString();
      const next: OffRamp = {
        ...operation,
        operationId: randomUUID(),
        status: 'AWAITING_DEPOSIT',
        sequence: 1,
        createdAt: now,
        statusHistory: [{ status: 'AWAITING_DEPOSIT', at: now }],
        ...differences,
      };
      await retryOnConflict(systemClock, () => createOperation(dynamo, tables, next, randomUUID));
      return next;
    },

    /** Verifies an operation without an event of it, which would have the simulated payout complete it in mid-test. */
    async verifyQuietly(operationId: string, at = new Date().toISOString()): Promise<string> {
      const { operation } = await state(operationId);
      const verifiedTxHash = newHash();
      const deposit = { verifiedTxHash, verifiedTransferId: `test:${verifiedTxHash}` };
      const { network, userId, clientId } = operation;
      const lost = await transact(dynamo, {
        operation: markCredited(tables.operations, operation, at, deposit),
        ...releaseDeclaration(tables.hashes, operation, verifiedTxHash),
        deposit: {
          Put: {
            TableName: tables.deposits,
            Item: {
              ...{ custodianTransferId: deposit.verifiedTransferId, network, txHash: verifiedTxHash },
              ...{ firstNotifiedAt: at, lastNotifiedAt: at, detectedAt: at, operationId, userId, clientId },
              ...{ creditedTo: operationId, creditedAt: at },
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
      };
    },

    /** Declares a hash, and stops before the execution is started. */
    async declare(operationId: string, txHash: string): Promise<Verification> {
      const current = await state(operationId);
      return beginAttempt(current, { txHash, windowEndsAt: current.operation.expiresAt });
    },

    /** One poll of an attempt's execution, at a custodian that answers as given. */
    poll(attempt: Verification, findTransfers: FindTransfers, clock: Clock = systemClock) {
      return checkDeposit({
        operations,
        verifications,
        endWindow: createEndWindow(dynamo, tables, clock, randomUUID),
        findTransfers,
        findAddressOwners: createFindAddressOwners(dynamo, tables.hashes),
        rememberSeen: createRememberSeen(dynamo, tables.deposits, clock),
        confirmDeposit,
        networkRules,
        clock,
      })(attempt);
    },

    /** A notification of the transfer, stored and taken from the queue; the custodian says what it says of it now. */
    async notified(transfer: CustodianTransfer): Promise<void> {
      const poll = await deposits.remember(transfer, new Date());
      await this.match(poll, async () => [transfer]);
    },

    /** One poll of a deposit; the next one is not waited for. */
    match(poll: DepositPoll, findTransfers: FindTransfers): Promise<void> {
      return matchDeposit({
        deposits,
        polls: parts.polls,
        sendPoll: async () => {},
        findTransfers,
        findAddressOwners: createFindAddressOwners(dynamo, tables.hashes),
        operations,
        countDepositsOf: createCountDepositsOf(dynamo, tables.deposits),
        minimumDeposits: {},
        decimals: {},
        fundedBy: (txHash) => parts.claimant('FUNDED', txHash),
        outbox: { table: tables.events, newId: randomUUID },
        confirmDeposit,
        networkRules,
        clock: systemClock,
      })(poll);
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
