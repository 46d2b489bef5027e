import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import { type Deposit, storedTransfer } from '#shared/off-ramps/model/deposit.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { type TransactionLeg, WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { checkNotPaidOut } from './settle-deposit.ts';
import { createWriteCredit, type DepositTables } from './write-credit.ts';

/** A deposit that operators credit by hand, with its operations, all as read. */
export interface ManualCredit {
  readonly deposit: Deposit;
  readonly transfer: CustodianTransfer;
  /** The operation that gets the deposit. */
  readonly operation: OffRamp;
  /** The operation of the deposit's address, if that is another one: its payout must not have been for this deposit. */
  readonly paidFor?: OffRamp | undefined;
}

/**
 * Credits an UNMATCHED deposit to an operation that operators name (decisions.md 9, Credit by hand), with the same
 * transaction as any other credit. The deposit must still have the status, sequence and facts that were read, and
 * nothing may say that its money was paid out. A confirmed proposal is marked as done in the same transaction.
 *
 * @throws {WriteConflict} when something changed after the read
 */
export function createCreditByHand(dynamo: DynamoDBDocumentClient, tables: DepositTables, clock: Clock) {
  const writeCredit = createWriteCredit(dynamo, tables, clock);
  return async (
    { deposit, transfer, operation, paidFor }: ManualCredit,
    confirmed: { readonly proposal?: TransactionLeg } = {},
  ): Promise<OffRamp> => {
    const isUnpaid = paidFor && { paidFor: checkNotPaidOut(tables.operations, paidFor.operationId) };
    const { lost, after } = await writeCredit(operation, transfer, deposit, {
      asRead: unmatchedAsRead(transfer),
      also: { ...confirmed, ...isUnpaid },
    });
    if (lost.size === 0) return after;
    throw new WriteConflict([...lost].join());
  };
}

export type CreditByHand = ReturnType<typeof createCreditByHand>;

/** Compares the facts: a poll may change them without the sequence, and an unowned deposit has no sequence. */
function unmatchedAsRead(transfer: CustodianTransfer) {
  return {
    condition: '#unmatched = :unmatchedSeen AND attribute_not_exists(#unreadable) AND #transfer = :transferSeen',
    values: { ':unmatchedSeen': 'UNMATCHED', ':transferSeen': storedTransfer(transfer) },
  };
}
