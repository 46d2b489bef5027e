import type { TransactionLeg } from '#shared/platform/dynamodb/transaction.ts';
import type { OffRamp, OperationStatus } from './off-ramp.ts';
import { operationKey } from './operation-store.ts';

interface HashReport {
  readonly txHash: string;
  readonly attempt: number;
}

const NAMES = { '#status': 'status', '#sequence': 'sequence' };

/** Nothing was written to the operation since it was read, and it has the status that this write starts from. */
const UNCHANGED = '#sequence = :seen AND #status = :from';

/** The leg that records the hash reported for an operation that awaits its deposit, and counts the attempt. */
export function recordHash(table: string, seen: OffRamp, report: HashReport): TransactionLeg {
  return {
    Update: {
      TableName: table,
      Key: operationKey(seen.operationId),
      UpdateExpression: 'SET txHash = :hash, attempt = :attempt, #sequence = :next',
      ConditionExpression: UNCHANGED,
      ExpressionAttributeNames: NAMES,
      ExpressionAttributeValues: {
        ':hash': report.txHash,
        ':attempt': report.attempt,
        ':next': seen.sequence + 1,
        ':seen': seen.sequence,
        ':from': 'AWAITING_DEPOSIT',
      },
    },
  };
}

/** The leg that changes nothing of an operation that awaits its deposit but its sequence. */
export function advanceSequence(table: string, seen: OffRamp): TransactionLeg {
  return {
    Update: {
      TableName: table,
      Key: operationKey(seen.operationId),
      UpdateExpression: 'SET #sequence = :next',
      ConditionExpression: UNCHANGED,
      ExpressionAttributeNames: NAMES,
      ExpressionAttributeValues: {
        ':next': seen.sequence + 1,
        ':seen': seen.sequence,
        ':from': 'AWAITING_DEPOSIT',
      },
    },
  };
}

/** The leg that ends the window of an operation that awaits its deposit, which only the sandbox does. */
export function expireAt(table: string, seen: OffRamp, at: string): TransactionLeg {
  return {
    Update: {
      TableName: table,
      Key: operationKey(seen.operationId),
      UpdateExpression: 'SET expiresAt = :at, #sequence = :next',
      ConditionExpression: UNCHANGED,
      ExpressionAttributeNames: NAMES,
      ExpressionAttributeValues: {
        ':at': at,
        ':next': seen.sequence + 1,
        ':seen': seen.sequence,
        ':from': 'AWAITING_DEPOSIT',
      },
    },
  };
}

/** The leg that moves the operation on, out of the index of those that await a deposit. */
export function changeStatus(
  table: string,
  seen: OffRamp,
  to: { status: OperationStatus; at: string; reason?: string | undefined; verifiedTxHash?: string },
): TransactionLeg {
  const entry = { status: to.status, at: to.at, ...(to.reason !== undefined && { reason: to.reason }) };
  return {
    Update: {
      TableName: table,
      Key: operationKey(seen.operationId),
      UpdateExpression: `SET #status = :to, #sequence = :next, statusHistory = list_append(statusHistory, :entry)${
        to.verifiedTxHash === undefined ? '' : ', verifiedTxHash = :verified'
      } REMOVE awaitedDepositKey`,
      ConditionExpression: UNCHANGED,
      ExpressionAttributeNames: NAMES,
      ExpressionAttributeValues: {
        ':to': to.status,
        ':next': seen.sequence + 1,
        ':entry': [entry],
        ':verified': to.verifiedTxHash,
        ':seen': seen.sequence,
        ':from': seen.status,
      },
    },
  };
}
