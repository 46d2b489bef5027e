import { assignments } from '#shared/platform/dynamodb/assignments.ts';
import type { TransactionLeg } from '#shared/platform/dynamodb/transaction.ts';
import type { CustodianTransfer } from './custodians/custodian-transfer.ts';
import type { Deposit } from './deposit.ts';
import { readable } from './deposit-changes.ts';
import { dueShardOf, lostAfter } from './deposit-polls.ts';
import type { OffRamp } from './off-ramp.ts';
import { statusAsRead } from './status-as-read.ts';

/**
 * A deposit as it is once it was credited to an operation, whose it is: no longer unmatched. Where nothing was notified
 * before, the custodian is asked for transfers since the creation of the operation.
 */
export function creditedDeposit(
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
export function creditDeposit(
  table: string,
  seen: Deposit | undefined,
  { custodianTransferId, firstNotifiedAt, lastNotifiedAt, nextPollAt, ...credited }: Deposit,
  now: Date,
): TransactionLeg {
  const due = { nextPollAt: now.toISOString(), dueAt: lostAfter(now), dueShard: dueShardOf(custodianTransferId) };
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
