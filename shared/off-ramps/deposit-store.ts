import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { NotifiedTransfer } from '#shared/off-ramps/custodians/custodian-transfer.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { assignments } from '#shared/platform/dynamodb/assignments.ts';
import { unlessConditionFails } from '#shared/platform/dynamodb/condition.ts';
import { indexEntries } from '#shared/platform/dynamodb/index-entries.ts';
import type { TransactionLeg } from '#shared/platform/dynamodb/transaction.ts';
import { updateItem } from '#shared/platform/dynamodb/update-item.ts';
import type { CustodianTransfer } from './custodians/custodian-transfer.ts';
import type { Deposit } from './deposit.ts';
import { arrivingKeyFor } from './deposit-key.ts';
import { isAwaitedBy } from './deposit-match.ts';
import { type DepositPoll, dueShardOf, lostAfter } from './deposit-polls.ts';
import { createFindDeposit } from './find-deposit.ts';
import type { ExpectedDeposit, OffRamp } from './off-ramp.ts';
import { statusAsRead } from './status-as-read.ts';

/** Sparse: deposits that have been seen and are not final yet. */
const ARRIVING_INDEX = 'arriving';

const indexEntry = z.object({ custodianTransferId: z.string() });

export function createDepositStore(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const find = createFindDeposit(dynamo, table);

  return {
    find,

    /**
     * Stores a notified transfer and returns its poll, which is due now. A repeated notification keeps the first time
     * and the state of the deposit.
     */
    async remember(transfer: NotifiedTransfer, now: Date): Promise<DepositPoll> {
      await updateItem(dynamo, clock, new UpdateCommand(remembering(table, transfer, now)));
      return pollOf(transfer, now);
    },

    /** The same of a transfer that a search found; `undefined`, and unchanged, when it was notified or found since then. */
    async rememberFound(since: string, transfer: NotifiedTransfer, now: Date): Promise<DepositPoll | undefined> {
      const { ExpressionAttributeValues, ...update } = remembering(table, transfer, now);
      const command = new UpdateCommand({
        ...update,
        ConditionExpression: 'attribute_not_exists(lastNotifiedAt) OR lastNotifiedAt < :since',
        ExpressionAttributeValues: { ...ExpressionAttributeValues, ...{ ':since': since } },
      });
      const written = await unlessConditionFails(updateItem(dynamo, clock, command));
      return written && pollOf(transfer, now);
    },

    /** Whether a deposit that the operation awaits is on its way. */
    async isArrivingFor(expected: ExpectedDeposit): Promise<boolean> {
      const entries = indexEntries(dynamo, table, indexEntry, {
        index: ARRIVING_INDEX,
        condition: 'arrivingAt = :key',
        values: { ':key': arrivingKeyFor(expected) },
      });
      for await (const { custodianTransferId } of entries) {
        const found = await find(custodianTransferId);
        if (found?.arrivingAt && found.transfer && isAwaitedBy(expected, found.transfer)) return true;
      }
      return false;
    },
  };
}

export type Deposits = ReturnType<typeof createDepositStore>;

function pollOf({ custodianTransferId }: NotifiedTransfer, now: Date): DepositPoll {
  return { custodianTransferId, nextPollAt: now.toISOString() };
}

function remembering(table: string, { custodianTransferId, network, txHash }: NotifiedTransfer, now: Date) {
  const at = now.toISOString();
  const due = { nextPollAt: at, dueAt: lostAfter(now), dueShard: dueShardOf(custodianTransferId) };
  const { expression, names, values } = assignments(
    { network, txHash, lastNotifiedAt: at, ...due },
    { firstNotifiedAt: at },
  );
  return {
    TableName: table,
    Key: { custodianTransferId },
    UpdateExpression: expression,
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  };
}

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
    unmatched: undefined,
    unmatchedSince: undefined,
    reasons: undefined,
  };
}

/**
 * The leg that writes a credited deposit, which cannot be credited again, if its status is still the one that was read.
 * If no poll is to come, it is polled once more: meanwhile another poll may have found that the deposit is gone, and have
 * planned no further one. It is watched from now on, because an old notification would leave no time for it.
 */
export function creditDeposit(
  table: string,
  seen: Deposit | undefined,
  { custodianTransferId, firstNotifiedAt, lastNotifiedAt, nextPollAt: _, ...credited }: Deposit,
  now: Date,
): TransactionLeg {
  const { expression, names, values } = assignments(credited, {
    firstNotifiedAt,
    lastNotifiedAt,
    nextPollAt: now.toISOString(),
    dueAt: lostAfter(now),
    dueShard: dueShardOf(custodianTransferId),
  });
  const asRead = statusAsRead(seen?.sequence);
  // What is nobody's has no sequence that would tell.
  const isNew = seen?.firstUnmatchedAt === undefined ? ['attribute_not_exists(firstUnmatchedAt)'] : [];
  return {
    Update: {
      TableName: table,
      Key: { custodianTransferId },
      UpdateExpression: expression,
      ConditionExpression: ['attribute_not_exists(creditedTo)', asRead.condition, ...isNew].join(' AND '),
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: { ...values, ...asRead.values },
    },
  };
}
