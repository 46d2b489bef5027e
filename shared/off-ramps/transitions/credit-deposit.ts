import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Network, NetworkRules } from '#shared/networks/network.ts';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import { isOf } from '#shared/off-ramps/custodians/normal-form.ts';
import {
  type Deposit,
  type DepositReason,
  isCreditedByItself,
  isCreditedOnReport,
} from '#shared/off-ramps/model/deposit.ts';
import { isFinal } from '#shared/off-ramps/model/deposit-match.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { createFindAddressOwners } from '#shared/off-ramps/store/address-owners.ts';
import { claimantOf, createMovements } from '#shared/off-ramps/store/claims.ts';
import { createDepositRepository } from '#shared/off-ramps/store/deposit-repository.ts';
import { createIsHalfCredited, createWasToldOtherwise } from '#shared/off-ramps/store/off-ramp-event-records.ts';
import { createOffRampRepository } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { type Clock, secondsSince } from '#shared/platform/clock.ts';
import { retryOnConflict, WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { addFields } from '#shared/platform/logger.ts';
import { createWriteCredit, type DepositTables } from './write-credit.ts';

/** The result for a confirmed transfer that an operation awaits. */
export type Crediting =
  | { readonly outcome: 'CREDITED'; readonly operation: OffRamp }
  /** The operation no longer awaits a deposit; `operation` says why. */
  | { readonly outcome: 'NOT_AWAITING'; readonly operation: OffRamp }
  /**
   * The deposit was unmatched before the custodian corrected it, or may have been sent back before a restore: it takes a
   * person, or a report of its hash, to credit it. Once it is settled, or asked back, a report does not. `reasons` is why it was unmatched.
   */
  | { readonly outcome: 'UNMATCHED'; readonly operation: OffRamp; readonly reasons: readonly DepositReason[] }
  /** Another record of the same movement is the deposit. */
  | { readonly outcome: 'RECORDED_TWICE'; readonly operation: OffRamp }
  /** The transaction already funds another operation, whose client this is. */
  | {
      readonly outcome: 'FUNDS_ANOTHER_OPERATION';
      readonly operation: OffRamp;
      readonly otherClientId?: string | undefined;
    };

/**
 * Credits a confirmed transfer, which `isAwaitedBy` the operation, in one transaction: the operation moves to PENDING
 * with its verified hash, the hash is funded for ever, another declared hash is released and searched for, the deposit
 * is marked as credited, and the events are put in the outbox. The state machine and the custodian's notifications both
 * use it; whichever comes second changes nothing. Declarations do not matter: the deposit belongs to the operation of its
 * address.
 *
 * @param networkRules say when a deposit was probably final, for the measure of how late it is credited
 * @param restoredAt while a restore is put right, what had ended since then is left to people
 */
export function createCreditDeposit(
  dynamo: DynamoDBDocumentClient,
  tables: DepositTables,
  clock: Clock,
  networkRules: Readonly<Record<Network, NetworkRules>>,
  restoredAt?: string,
) {
  const operations = createOffRampRepository(dynamo, tables.operations);
  const deposits = createDepositRepository(dynamo, tables.deposits, clock);
  const findAddressOwners = createFindAddressOwners(dynamo, tables.hashes);
  const movements = createMovements(dynamo, tables.hashes);
  const writeCredit = createWriteCredit(dynamo, tables, clock);
  const wasToldOtherwise = restoredAt === undefined ? async () => false : createWasToldOtherwise(dynamo, tables.events);
  const complete = restoredAt === undefined ? async () => undefined : createComplete(dynamo, tables, clock);

  const decide = async (operationId: string, transfer: CustodianTransfer): Promise<Crediting> => {
    const seen = await operations.find(operationId);
    if (seen === undefined) throw new Error(`Operation ${operationId} is gone.`);
    if (seen.status !== 'AWAITING_DEPOSIT') return { outcome: 'NOT_AWAITING', operation: seen };
    if (await movements.isTaken(transfer)) return { outcome: 'RECORDED_TWICE', operation: seen };
    const deposit = await deposits.find(transfer.custodianTransferId);
    const owner = deposit?.operationId ?? (await addressOwner(transfer)) ?? operationId;
    if (owner !== operationId) return fundsAnother(seen, owner);
    const isCredited =
      deposit === undefined || isCreditedByItself(deposit) || (await isCreditedByItsHash(seen, deposit));
    if (isCredited && !(await wasToldOtherwise(operationId, transfer.custodianTransferId)))
      return write(seen, transfer, deposit);
    return { outcome: 'UNMATCHED', operation: seen, reasons: deposit?.reasons ?? [] };
  };

  /** Before the first poll the owner is unknown: at a shared account a tag may make it another operation's. */
  const addressOwner = async (transfer: CustodianTransfer) => (await findAddressOwners(transfer))?.[0]?.operationId;

  /**
   * Finance may be working on an unmatched deposit. It is credited only if its hash was reported (interface 4.3), or
   * cannot be reported by its client because another operation has declared it: a declaration must not block the money.
   */
  const isCreditedByItsHash = async ({ operationId, txHash }: OffRamp, deposit: Deposit): Promise<boolean> => {
    if (!isCreditedOnReport(deposit)) return false;
    if (txHash === deposit.txHash) return true;
    const claimant = await claimantOf(dynamo, tables.hashes, 'DECLARED', deposit.txHash);
    return claimant !== undefined && claimant !== operationId;
  };

  const write = async (seen: OffRamp, transfer: CustodianTransfer, deposit: Deposit | undefined) => {
    const { lost, after } = await writeCredit(seen, transfer, deposit);
    if (lost.size === 0) {
      addFields({ secondsToCredit: secondsToCredit(transfer, deposit) });
      return { outcome: 'CREDITED', operation: after } as const;
    }
    // Its table was restored to before it was seen: it is stored first, so that its sequence goes on after its last event.
    if (lost.has('depositEvent') && deposit === undefined) {
      const now = clock.now();
      await deposits.rememberFound(now.toISOString(), transfer, now);
    }
    if (lost.has('operation') || lost.has('movement') || !lost.has('funded')) throw new WriteConflict([...lost].join());
    return fundsAnother(seen, await claimantOf(dynamo, tables.hashes, 'FUNDED', transfer.txHash));
  };

  /**
   * Nobody reports the time of the finality: it is the usual one of the network, or the last notification if that is later,
   * because a custodian notifies at the latest then. What its list or a search found was never notified, however late it was
   * found; but a scan of a chain finds it again once it is final. A deposit that was unmatched has waited for people, and is
   * left out.
   */
  const secondsToCredit = (
    { custodianTransferId, network, createdAt }: CustodianTransfer,
    deposit: Deposit | undefined,
  ) => {
    if (deposit?.firstUnmatchedAt !== undefined) return undefined;
    const usually = Date.parse(createdAt) + networkRules[network].finalitySeconds * 1000;
    const isTold = deposit?.isNotified || isOf('evm', custodianTransferId);
    const notified = deposit && isTold ? Date.parse(deposit.lastNotifiedAt) : 0;
    return secondsSince(Math.max(usually, notified), clock.now());
  };

  const fundsAnother = async (seen: OffRamp, funded: string | undefined): Promise<Crediting> => {
    const other = funded === undefined ? undefined : await operations.find(funded);
    return { outcome: 'FUNDS_ANOTHER_OPERATION', operation: seen, otherClientId: other?.clientId };
  };

  return (operationId: string, transfer: CustodianTransfer): Promise<Crediting> =>
    retryOnConflict(clock, async () => (await complete(operationId, transfer)) ?? decide(operationId, transfer));
}

/**
 * Tables that were restored to the second of a credit may have a part of it only: the deposit, the operation, or a claim.
 * The rest is written; `undefined` where nothing says that there was a credit.
 */
function createComplete(dynamo: DynamoDBDocumentClient, tables: DepositTables, clock: Clock) {
  const operations = createOffRampRepository(dynamo, tables.operations);
  const deposits = createDepositRepository(dynamo, tables.deposits, clock);
  const movements = createMovements(dynamo, tables.hashes);
  const writeCredit = createWriteCredit(dynamo, tables, clock);
  const isHalf = createIsHalfCredited(dynamo, tables.events);
  return async (operationId: string, transfer: CustodianTransfer): Promise<Crediting | undefined> => {
    const [seen, deposit] = [await operations.find(operationId), await deposits.find(transfer.custodianTransferId)];
    // What was taken back since then does not move an operation.
    const mayBe = seen !== undefined && (seen.verifiedTxHash !== undefined || isFinal(transfer));
    if (!mayBe || !(await isHalf(seen, transfer, deposit)) || (await movements.isTaken(transfer))) return undefined;
    const { lost, after } = await writeCredit(seen, transfer, deposit);
    if (lost.has('funded')) return undefined;
    if (lost.size > 0) throw new WriteConflict([...lost].join());
    return { outcome: 'CREDITED', operation: after };
  };
}

export type CreditDeposit = ReturnType<typeof createCreditDeposit>;
