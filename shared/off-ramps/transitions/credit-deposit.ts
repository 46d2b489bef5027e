import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Network, NetworkRules } from '#shared/networks/network.ts';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import { isIdOf } from '#shared/off-ramps/custodians/normal-form.ts';
import {
  type Deposit,
  type DepositReason,
  isCreditedAutomatically,
  isCreditedOnReport,
} from '#shared/off-ramps/model/deposit.ts';
import { isFinal } from '#shared/off-ramps/model/deposit-match.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { createFindAddressOwners } from '#shared/off-ramps/store/address-owners.ts';
import { createMovements, findClaimant } from '#shared/off-ramps/store/claims.ts';
import { createDepositRepository } from '#shared/off-ramps/store/deposit-repository.ts';
import { createIsContradictedByEvents, createIsHalfCredited } from '#shared/off-ramps/store/off-ramp-event-records.ts';
import { createOffRampRepository } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { type Clock, secondsSince } from '#shared/platform/clock.ts';
import { retryOnConflict, WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { addFields } from '#shared/platform/logger.ts';
import { createWriteCredit, type DepositTables } from './write-credit.ts';

/** The result for a confirmed transfer that an operation awaits. */
export type CreditResult =
  | { readonly outcome: 'CREDITED'; readonly operation: OffRamp }
  /** The operation no longer awaits a deposit; `operation` says why. */
  | { readonly outcome: 'NOT_AWAITING'; readonly operation: OffRamp }
  /**
   * The deposit was unmatched before the custodian corrected it, or may have been sent back before a restore. Only a
   * person or a report of its hash credits it; once it is settled or its return is requested, a report no longer does.
   * `reasons` says why it was unmatched.
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
 * with its verified hash, the hash is marked as FUNDED permanently, another declared hash is released and searched for,
 * the deposit is marked as credited, and the events are put in the outbox. The state machine and the polls of notified
 * deposits both call this; the second call changes nothing. Declarations do not matter: the deposit belongs to the
 * operation of its address.
 *
 * @param networkRules say when a deposit was probably final, to measure how late it is credited
 * @param restoredAt the time to which tables were restored, until that is repaired. Meanwhile a credit that contradicts
 * an earlier event is left to a person, and a half-written credit is completed.
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
  const isContradictedByEvents =
    restoredAt === undefined ? async () => false : createIsContradictedByEvents(dynamo, tables.events);
  const complete = restoredAt === undefined ? async () => undefined : createComplete(dynamo, tables, clock);

  const decide = async (operationId: string, transfer: CustodianTransfer): Promise<CreditResult> => {
    const seen = await operations.find(operationId);
    if (seen === undefined) throw new Error(`Operation ${operationId} is gone.`);
    if (seen.status !== 'AWAITING_DEPOSIT') return { outcome: 'NOT_AWAITING', operation: seen };
    if (await movements.isTaken(transfer)) return { outcome: 'RECORDED_TWICE', operation: seen };
    const deposit = await deposits.find(transfer.custodianTransferId);
    const owner = deposit?.operationId ?? (await addressOwner(transfer)) ?? operationId;
    if (owner !== operationId) return fundsAnother(seen, owner);
    const isCredited =
      deposit === undefined || isCreditedAutomatically(deposit) || (await isCreditedByItsHash(seen, deposit));
    if (isCredited && !(await isContradictedByEvents(operationId, transfer.custodianTransferId)))
      return write(seen, transfer, deposit);
    return { outcome: 'UNMATCHED', operation: seen, reasons: deposit?.reasons ?? [] };
  };

  /** Before its first poll a deposit has no stored owner: at a shared account, its tag may name another operation. */
  const addressOwner = async (transfer: CustodianTransfer) => (await findAddressOwners(transfer))?.[0]?.operationId;

  /**
   * Finance may be working on an unmatched deposit, so it is credited only if its hash was reported (interface 4.3), or
   * if its client cannot report the hash because another operation has declared it: a declaration must not block money.
   */
  const isCreditedByItsHash = async ({ operationId, txHash }: OffRamp, deposit: Deposit): Promise<boolean> => {
    if (!isCreditedOnReport(deposit)) return false;
    if (txHash === deposit.txHash) return true;
    const claimant = await findClaimant(dynamo, tables.hashes, 'DECLARED', deposit.txHash);
    return claimant !== undefined && claimant !== operationId;
  };

  const write = async (seen: OffRamp, transfer: CustodianTransfer, deposit: Deposit | undefined) => {
    const { lost, after } = await writeCredit(seen, transfer, deposit);
    if (lost.size === 0) {
      addFields({ secondsToCredit: secondsToCredit(transfer, deposit) });
      return { outcome: 'CREDITED', operation: after } as const;
    }
    // The table was restored to before the deposit was seen. Store it first: its sequence then follows its events.
    if (lost.has('depositEvent') && deposit === undefined) {
      const now = clock.now();
      await deposits.rememberFound(now.toISOString(), transfer, now);
    }
    if (lost.has('operation') || lost.has('movement') || !lost.has('funded')) throw new WriteConflict([...lost].join());
    return fundsAnother(seen, await findClaimant(dynamo, tables.hashes, 'FUNDED', transfer.txHash));
  };

  /**
   * Seconds from finality to the credit. No custodian reports the time of finality: it is estimated from the network's
   * usual time, or taken from the last notification if that is later, because custodians notify at finality at the
   * latest. A deposit that only a list or a search found has no notification; a scan of a chain finds its deposit again
   * once final, which counts as one. `undefined` for a deposit that was unmatched: it waited for a person.
   */
  const secondsToCredit = (
    { custodianTransferId, network, createdAt }: CustodianTransfer,
    deposit: Deposit | undefined,
  ) => {
    if (deposit?.firstUnmatchedAt !== undefined) return undefined;
    const usually = Date.parse(createdAt) + networkRules[network].finalitySeconds * 1000;
    const isTold = deposit?.isNotified || isIdOf('evm', custodianTransferId);
    const notified = deposit && isTold ? Date.parse(deposit.lastNotifiedAt) : 0;
    return secondsSince(Math.max(usually, notified), clock.now());
  };

  const fundsAnother = async (seen: OffRamp, funded: string | undefined): Promise<CreditResult> => {
    const other = funded === undefined ? undefined : await operations.find(funded);
    return { outcome: 'FUNDS_ANOTHER_OPERATION', operation: seen, otherClientId: other?.clientId };
  };

  return (operationId: string, transfer: CustodianTransfer): Promise<CreditResult> =>
    retryOnConflict(clock, async () => (await complete(operationId, transfer)) ?? decide(operationId, transfer));
}

/**
 * Completes a credit of which the restored tables have only a part: the deposit, the operation or a claim. This happens
 * when they were restored to the second of the credit. Returns `undefined` if nothing says that there was a credit.
 */
function createComplete(dynamo: DynamoDBDocumentClient, tables: DepositTables, clock: Clock) {
  const operations = createOffRampRepository(dynamo, tables.operations);
  const deposits = createDepositRepository(dynamo, tables.deposits, clock);
  const movements = createMovements(dynamo, tables.hashes);
  const writeCredit = createWriteCredit(dynamo, tables, clock);
  const isHalf = createIsHalfCredited(dynamo, tables.events);
  return async (operationId: string, transfer: CustodianTransfer): Promise<CreditResult | undefined> => {
    const [seen, deposit] = [await operations.find(operationId), await deposits.find(transfer.custodianTransferId)];
    // A deposit that was taken back since then must not move an operation to PENDING.
    const mayBe = seen !== undefined && (seen.verifiedTxHash !== undefined || isFinal(transfer));
    if (!mayBe || !(await isHalf(seen, transfer, deposit)) || (await movements.isTaken(transfer))) return undefined;
    const { lost, after } = await writeCredit(seen, transfer, deposit);
    if (lost.has('funded')) return undefined;
    if (lost.size > 0) throw new WriteConflict([...lost].join());
    return { outcome: 'CREDITED', operation: after };
  };
}

export type CreditDeposit = ReturnType<typeof createCreditDeposit>;
