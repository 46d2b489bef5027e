import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Deposit, Settlement } from '#shared/off-ramps/model/deposit.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { financeListChange } from '#shared/off-ramps/model/return-changes.ts';
import { pollTimes, statusUnchanged } from '#shared/off-ramps/store/deposit-polls.ts';
import { checkOperationUnchanged, operationKey } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { assignments } from '#shared/platform/dynamodb/conditional-write.ts';
import { type TransactionLeg, transact, WriteConflict } from '#shared/platform/dynamodb/transaction.ts';

interface Tables {
  readonly deposits: string;
  readonly operations: string;
}

/** The leg that marks the proposal as done, if a second person has confirmed one. */
interface Confirmed {
  readonly proposal?: TransactionLeg;
}

/**
 * Settles a deposit as kept or written off: removes it from the lists of finance operations, and changes nothing else:
 * no status, no claim, no event. The deposit must still be as read, no return may be requested, and the reports of a
 * payout that may be for it must not contradict each other. A confirmed proposal is marked as done in the same
 * transaction.
 *
 * @throws {WriteConflict} when something changed after the read
 */
export function createSettleDeposit(dynamo: DynamoDBDocumentClient, tables: Tables) {
  return async (
    seen: Deposit,
    settled: Settlement,
    paidFor: string | undefined,
    confirmed: Confirmed,
  ): Promise<void> => {
    const lost = await transact(dynamo, {
      deposit: settleLeg(tables.deposits, seen, settled),
      ...(paidFor !== undefined && { operation: checkUncontradicted(tables.operations, paidFor) }),
      ...confirmed,
    });
    if (lost.size > 0) throw new WriteConflict([...lost].join());
  };
}

export type SettleDeposit = ReturnType<typeof createSettleDeposit>;

function settleLeg(
  table: string,
  { custodianTransferId, creditedAt, operationId, sequence, transfer }: Deposit,
  settled: Settlement,
): TransactionLeg {
  const asRead = statusUnchanged(sequence);
  // Polls correct the facts without a new sequence, and a deposit without an operation has no sequence at all.
  const isSame = transfer === undefined ? 'attribute_not_exists(#transfer)' : '#transfer = :transfer';
  const isTakenBack = settled.outcome === 'WRITTEN_OFF' && creditedAt !== undefined;
  const [place, condition] = isTakenBack
    ? ['REVERSED', 'unmatched = :place AND operationId = :operation']
    : creditedAt === undefined
      ? ['UNMATCHED', 'unmatched = :place AND attribute_not_exists(creditedAt)']
      : ['OWED', 'owed = :place AND operationId = :operation'];
  // A deposit that was taken back stays REVERSED, and keeps `owed` for the case that it comes back.
  const removed = isTakenBack ? 'unmatchedSince' : 'unmatched, unmatchedSince, owed, owedSince';
  return {
    Update: {
      TableName: table,
      Key: { custodianTransferId },
      UpdateExpression: `SET settled = :settled REMOVE ${removed}`,
      ConditionExpression: `attribute_not_exists(settled) AND attribute_not_exists(#return) AND ${condition} AND ${isSame} AND ${asRead.condition}`,
      ExpressionAttributeNames: { '#sequence': 'sequence', '#return': 'return', '#transfer': 'transfer' },
      ExpressionAttributeValues: {
        ...asRead.values,
        ':settled': settled,
        ':place': place,
        ...(transfer !== undefined && { ':transfer': transfer }),
        ...(creditedAt !== undefined && { ':operation': operationId }),
      },
    },
  };
}

/** The check that, as far as is known, an operation was not paid out and has no open contradiction. */
export function checkNotPaidOut(table: string, operationId: string): TransactionLeg {
  return {
    ConditionCheck: {
      TableName: table,
      Key: operationKey(operationId),
      ConditionExpression:
        'attribute_not_exists(contradictedSince) AND (attribute_not_exists(paidOut) OR paidOut <> :paid)',
      ExpressionAttributeValues: { ':paid': true },
    },
  };
}

function checkUncontradicted(table: string, operationId: string): TransactionLeg {
  return {
    ConditionCheck: {
      TableName: table,
      Key: operationKey(operationId),
      ConditionExpression: 'attribute_not_exists(contradictedSince)',
    },
  };
}

/** Puts a settled deposit back into its list, and makes its next poll due at once. @throws {WriteConflict} */
export function createUnsettleDeposit(dynamo: DynamoDBDocumentClient, tables: Tables) {
  return async (seen: Deposit, owing: OffRamp | undefined, now: Date, confirmed: Confirmed = {}): Promise<void> => {
    const { custodianTransferId, sequence } = seen;
    const asRead = statusUnchanged(sequence);
    const { expression, names, values } = assignments({
      settled: undefined,
      ...financeListChange({ ...seen, settled: undefined }, owing !== undefined, now),
      // Nobody may have polled it since it was settled: poll at once.
      ...pollTimes(custodianTransferId, now.toISOString()),
    });
    const lost = await transact(dynamo, {
      deposit: {
        Update: {
          TableName: tables.deposits,
          Key: { custodianTransferId },
          UpdateExpression: expression,
          ConditionExpression: `attribute_exists(settled) AND ${asRead.condition}`,
          ExpressionAttributeNames: { ...names, '#sequence': 'sequence' },
          ExpressionAttributeValues: { ...values, ...asRead.values },
        },
      },
      ...(owing && { operation: checkOperationUnchanged(tables.operations, owing) }),
      ...confirmed,
    });
    if (lost.size > 0) throw new WriteConflict([...lost].join());
  };
}

export type UnsettleDeposit = ReturnType<typeof createUnsettleDeposit>;
