import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type Deposit, deposit } from '#shared/off-ramps/model/deposit.ts';
import { dueShardOf, isDepositKey } from '#shared/off-ramps/store/deposit-polls.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { unlessConditionFails, updateItem } from '#shared/platform/dynamodb/conditional-write.ts';

/**
 * Makes the next poll of a deposit due, so that the sweep polls it within a minute; returns the deposit, or `undefined`
 * if there is none. It replaces the planned poll and, unlike a notification, does not extend the watch.
 */
export type PollDepositNow = (custodianTransferId: string, at: string) => Promise<Deposit | undefined>;

export function createPollDepositNow(dynamo: DynamoDBDocumentClient, table: string, clock: Clock): PollDepositNow {
  return async (custodianTransferId, at) => {
    if (!isDepositKey(custodianTransferId)) return undefined;
    const update = new UpdateCommand({
      TableName: table,
      Key: { custodianTransferId },
      UpdateExpression: 'SET nextPollAt = :at, dueAt = :at, dueShard = :shard',
      // After an unreadable notification only the id may be known: such a transfer cannot be asked for.
      ConditionExpression: 'attribute_exists(txHash)',
      ExpressionAttributeValues: { ':at': at, ':shard': dueShardOf(custodianTransferId) },
      ReturnValues: 'ALL_NEW',
    });
    const written = await unlessConditionFails(updateItem(dynamo, clock, update));
    return written?.Attributes && deposit.parse(written.Attributes);
  };
}

/**
 * Removes a transfer from the list of unreadable ones and stops its polls, if it was never readable or is no longer
 * polled; false if there is none. A running poll records nothing. After another notification it is like new.
 */
export type GiveUpUnreadable = (custodianTransferId: string) => Promise<boolean>;

export function createGiveUpUnreadable(dynamo: DynamoDBDocumentClient, table: string, clock: Clock): GiveUpUnreadable {
  return async (custodianTransferId) => {
    const update = new UpdateCommand({
      TableName: table,
      Key: { custodianTransferId },
      UpdateExpression: 'REMOVE unreadable, unreadableSince, unreadableFields, nextPollAt, dueAt, dueShard',
      // A transfer that was readable once is a deposit, and is polled until its watch ends.
      ConditionExpression:
        'attribute_exists(unreadable) AND (attribute_not_exists(#transfer) OR attribute_not_exists(nextPollAt))',
      ExpressionAttributeNames: { '#transfer': 'transfer' },
    });
    return (await unlessConditionFails(updateItem(dynamo, clock, update))) !== undefined;
  };
}
