import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { OffRamp, OperationStatus } from '#shared/domain/operation.ts';
import { toItem } from './client.ts';
import { operationKey } from './operations.ts';

interface HashReport {
  readonly txHash: string;
  readonly attempt: number;
}

const NAMES = { '#status': 'status', '#sequence': 'sequence' };

/** Nothing was written to the operation since it was read, and it still awaits its deposit. */
const UNCHANGED_AND_AWAITING = '#sequence = :seen AND #status = :awaiting';

/** The leg that records a reported hash and counts the attempt. */
export function recordHash(table: string, seen: OffRamp, report: HashReport): TransactWriteItem {
  return {
    Update: {
      TableName: table,
      Key: operationKey(seen.operationId),
      UpdateExpression: 'SET txHash = :hash, attempt = :attempt, #sequence = :next',
      ConditionExpression: UNCHANGED_AND_AWAITING,
      ExpressionAttributeNames: NAMES,
      ExpressionAttributeValues: toItem({
        ':hash': report.txHash,
        ':attempt': report.attempt,
        ':next': seen.sequence + 1,
        ...seenAwaiting(seen),
      }),
    },
  };
}

/** The leg that takes the operation out of AWAITING_DEPOSIT, and out of the index of those that await one. */
export function leaveAwaitingDeposit(
  table: string,
  seen: OffRamp,
  to: { status: OperationStatus; at: string; reason?: string; verifiedTxHash?: string },
): TransactWriteItem {
  const entry = { status: to.status, at: to.at, ...(to.reason !== undefined && { reason: to.reason }) };
  return {
    Update: {
      TableName: table,
      Key: operationKey(seen.operationId),
      UpdateExpression: `SET #status = :to, #sequence = :next, statusHistory = list_append(statusHistory, :entry)${
        to.verifiedTxHash === undefined ? '' : ', verifiedTxHash = :verified'
      } REMOVE awaitedDepositKey`,
      ConditionExpression: UNCHANGED_AND_AWAITING,
      ExpressionAttributeNames: NAMES,
      ExpressionAttributeValues: toItem({
        ':to': to.status,
        ':next': seen.sequence + 1,
        ':entry': [entry],
        ':verified': to.verifiedTxHash,
        ...seenAwaiting(seen),
      }),
    },
  };
}

function seenAwaiting(seen: OffRamp) {
  return { ':seen': seen.sequence, ':awaiting': 'AWAITING_DEPOSIT' };
}
