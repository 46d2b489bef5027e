import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { moveDeposit } from '#shared/off-ramps/contract/deposit-events.ts';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import { type Deposit, isCreditedByItself, isCreditedOnReport } from '#shared/off-ramps/model/deposit.ts';
import { readable } from '#shared/off-ramps/model/deposit-changes.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { createFindAddressOwners } from '#shared/off-ramps/store/assigned-addresses.ts';
import { pollTimes, statusAsRead } from '#shared/off-ramps/store/deposit-polls.ts';
import { createDepositRepository } from '#shared/off-ramps/store/deposit-repository.ts';
import { claimantOf, fundWithHash, releaseDeclaration } from '#shared/off-ramps/store/hash-claims.ts';
import { createHashSearches } from '#shared/off-ramps/store/hash-searches.ts';
import { operationEvents } from '#shared/off-ramps/store/off-ramp-event-records.ts';
import { createOffRampRepository, markCredited } from '#shared/off-ramps/store/off-ramp-repository.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { assignments } from '#shared/platform/dynamodb/conditional-write.ts';
import { lostAfter } from '#shared/platform/dynamodb/due-queue.ts';
import {
  retryOnConflict,
  type TransactionLeg,
  transact,
  WriteConflict,
} from '#shared/platform/dynamodb/transaction.ts';

export interface DepositTables {
  readonly operations: string;
  readonly hashes: string;
  readonly deposits: string;
  readonly events: string;
}

/** The result for a confirmed transfer that an operation awaits. */
export type Confirmation =
  | { readonly outcome: 'CREDITED'; readonly operation: OffRamp }
  /** The operation awaits no deposit any more; `operation` says why. */
  | { readonly outcome: 'NOT_AWAITING'; readonly operation: OffRamp }
  /** It was filed as unmatched, and the custodian has corrected it since: a person credits it, or whoever reports its hash. */
  | { readonly outcome: 'UNMATCHED'; readonly operation: OffRamp }
  /** The transaction already funds another operation, whose client this is. */
  | {
      readonly outcome: 'FUNDS_ANOTHER_OPERATION';
      readonly operation: OffRamp;
      readonly otherClientId?: string | undefined;
    };

/**
 * Credits a confirmed transfer, which `isAwaitedBy` the operation, in one transaction: the operation moves to PENDING
 * with its verified hash, the hash is funded for ever, a declaration of another hash is released and that hash is looked
 * for, the deposit is marked as credited, and the events are put in the outbox. The state machine and the custodian's notifications both use it;
 * the second one changes nothing. Who has declared the hash does not matter: the deposit is its address's operation's.
 */
export function createConfirmDeposit(dynamo: DynamoDBDocumentClient, tables: DepositTables, clock: Clock) {
  const operations = createOffRampRepository(dynamo, tables.operations);
  const deposits = createDepositRepository(dynamo, tables.deposits, clock);
  const findAddressOwners = createFindAddressOwners(dynamo, tables.hashes);
  const searches = createHashSearches(dynamo, tables.deposits, clock);

  const decide = async (operationId: string, transfer: CustodianTransfer): Promise<Confirmation> => {
    const seen = await operations.find(operationId);
    if (seen === undefined) throw new Error(`Operation ${operationId} is gone.`);
    if (seen.status !== 'AWAITING_DEPOSIT') return { outcome: 'NOT_AWAITING', operation: seen };
    const deposit = await deposits.find(transfer.custodianTransferId);
    const owner = deposit?.creditedTo ?? deposit?.operationId ?? (await addressOwner(transfer)) ?? operationId;
    if (owner !== operationId) return fundsAnother(seen, owner);
    if (deposit === undefined || isCreditedByItself(deposit) || (await isCreditedByItsHash(seen, deposit)))
      return write(seen, transfer, deposit);
    return { outcome: 'UNMATCHED', operation: seen };
  };

  /** Before a poll has said whose it is: at an account that is itself one operation's, a tag makes it another's. */
  const addressOwner = async (transfer: CustodianTransfer) => (await findAddressOwners(transfer))?.[0]?.operationId;

  /**
   * Finance may be at work on what has been unmatched. Only a reported hash that verifies is credited all the same
   * (interface 4.3), and one that its client cannot report, because somebody else has: that blocks nobody's money.
   */
  const isCreditedByItsHash = async ({ operationId, txHash }: OffRamp, deposit: Deposit): Promise<boolean> => {
    if (!isCreditedOnReport(deposit)) return false;
    if (txHash === deposit.txHash) return true;
    const claimant = await claimantOf(dynamo, tables.hashes, 'DECLARED', deposit.txHash);
    return claimant !== undefined && claimant !== operationId;
  };

  const write = async (seen: OffRamp, transfer: CustodianTransfer, deposit: Deposit | undefined) => {
    const { operationId } = seen;
    const { txHash, custodianTransferId } = transfer;
    const verified = { verifiedTxHash: txHash, verifiedTransferId: custodianTransferId };
    const source = { table: tables.events, now: clock.now() };
    const at = source.now.toISOString();
    const after: OffRamp = { ...seen, ...verified, status: 'PENDING', sequence: seen.sequence + 1 };
    const credited = creditedDeposit(deposit, transfer, after, source.now);
    const move = moveDeposit(source, deposit, credited);
    const lost = await transact(dynamo, {
      operation: markCredited(tables.operations, seen, at, verified),
      funded: fundWithHash(tables.hashes, txHash, operationId),
      ...releaseDeclaration(tables.hashes, seen, txHash),
      ...(await searches.takeOver(seen, source.now, txHash)),
      deposit: creditDeposit(tables.deposits, deposit, { ...credited, ...move.set }, source.now),
      ...operationEvents(source, seen, after),
      ...(move.event && { depositEvent: move.event }),
    });
    if (lost.size === 0) return { outcome: 'CREDITED', operation: after } as const;
    if (lost.has('operation') || !lost.has('funded')) throw new WriteConflict([...lost].join());
    return fundsAnother(seen, await claimantOf(dynamo, tables.hashes, 'FUNDED', txHash));
  };

  const fundsAnother = async (seen: OffRamp, funded: string | undefined): Promise<Confirmation> => {
    const other = funded === undefined ? undefined : await operations.find(funded);
    return { outcome: 'FUNDS_ANOTHER_OPERATION', operation: seen, otherClientId: other?.clientId };
  };

  return (operationId: string, transfer: CustodianTransfer): Promise<Confirmation> =>
    retryOnConflict(clock, () => decide(operationId, transfer));
}

export type ConfirmDeposit = ReturnType<typeof createConfirmDeposit>;

/**
 * A deposit as it is once it was credited to an operation, whose it is: no longer unmatched. Where nothing was notified
 * before, the custodian is asked for transfers since the creation of the operation.
 */
function creditedDeposit(
  seen: Deposit | undefined,
  transfer: CustodianTransfer,
  { operationId, userId, clientId, createdAt }: Pick<OffRamp, 'operationId' | 'userId' | 'clientId' | 'createdAt'>,
  now: Date,
): Deposit {
  const { custodianTransferId, network, txHash } = transfer;
  const at = now.toISOString();
  return {
    ...(seen ?? { firstNotifiedAt: createdAt, lastNotifiedAt: at }),
    ...{ custodianTransferId, network, txHash, operationId, userId, clientId, transfer },
    detectedAt: seen?.detectedAt ?? at,
    creditedTo: operationId,
    creditedAt: at,
    arrivingAt: undefined,
    leftOut: undefined,
    leftOutOf: undefined,
    ...readable,
    unmatched: undefined,
    unmatchedSince: undefined,
    reasons: undefined,
  };
}

/**
 * The leg that writes a credited deposit, which cannot be credited again, if its status is still the one that was read.
 * It is polled within minutes, whatever was planned: meanwhile another poll may have found that the deposit is gone, and
 * have planned none for long. It is watched from now on, because an old notification would leave no time for it.
 */
function creditDeposit(
  table: string,
  seen: Deposit | undefined,
  { custodianTransferId, firstNotifiedAt, lastNotifiedAt, nextPollAt, ...credited }: Deposit,
  now: Date,
): TransactionLeg {
  const due = pollTimes(custodianTransferId, now.toISOString(), lostAfter(now));
  const isSoon = nextPollAt !== undefined && nextPollAt <= lostAfter(now);
  const { expression, names, values } = assignments(
    { ...credited, ...(!isSoon && due) },
    { firstNotifiedAt, lastNotifiedAt, ...(isSoon && due) },
  );
  const asRead = statusAsRead(seen?.sequence);
  // What is nobody's has no sequence that would tell.
  const isNew = seen?.firstUnmatchedAt === undefined ? ['attribute_not_exists(firstUnmatchedAt)'] : [];
  return {
    Update: {
      TableName: table,
      Key: { custodianTransferId },
      UpdateExpression: expression,
      ConditionExpression: [
        'attribute_not_exists(creditedTo)',
        'attribute_not_exists(settled)',
        asRead.condition,
        ...isNew,
      ].join(' AND '),
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: { ...values, ...asRead.values },
    },
  };
}
