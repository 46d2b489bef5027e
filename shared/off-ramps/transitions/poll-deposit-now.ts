import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type Deposit, deposit } from '#shared/off-ramps/model/deposit.ts';
import { dueShardOf, isDepositKey } from '#shared/off-ramps/store/deposit-polls.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { unlessConditionFails, updateItem } from '#shared/platform/dynamodb/conditional-write.ts';

/**
 * Makes the next poll of a deposit due, so that the sweep has the custodian asked in a minute; the deposit as it is then,
 * `undefined` when there is none. The poll takes the place of the one that was to come, and does not make the deposit be
 * watched for longer, as a notification does.
 */
export type PollDepositNow = (custodianTransferId: string, at: string) => Promise<Deposit | undefined>;

export function createPollDepositNow(dynamo: DynamoDBDocumentClient, table: string, clock: Clock): PollDepositNow {
  return async (custodianTransferId, at) => {
    if (!isDepositKey(custodianTransferId)) return undefined;
    const update = new UpdateCommand({
      TableName: table,
      Key: { custodianTransferId },
      UpdateExpression: 'SET nextPollAt = :at, dueAt = :at, dueShard = :shard',
      // Of some whose notification could not be read no more is known than the id: nobody can be asked for them.
      ConditionExpression: 'attribute_exists(txHash)',
      ExpressionAttributeValues: { ':at': at, ':shard': dueShardOf(custodianTransferId) },
      ReturnValues: 'ALL_NEW',
    });
    const written = await unlessConditionFails(updateItem(dynamo, clock, update));
    return written?.Attributes && deposit.parse(written.Attributes);
  };
}

/**
 * Takes a transfer of which nothing could ever be read, or that is asked for no more, off the list of those that cannot be
 * read, and has it polled no more; false when there is none. A poll that is under way records nothing. When the custodian notifies it again, it is as new.
 */
export type GiveUpUnreadable = (custodianTransferId: string) => Promise<boolean>;

export function createGiveUpUnreadable(dynamo: DynamoDBDocumentClient, table: string, clock: Clock): GiveUpUnreadable {
  return async (custodianTransferId) => {
    if (!isDepositKey(custodianTransferId)) return false;
    const update = new UpdateCommand({
      TableName: table,
      Key: { custodianTransferId },
      UpdateExpression: 'REMOVE unreadable, unreadableSince, unreadableFields, nextPollAt, dueAt, dueShard',
      // What was read once is a deposit, and is asked for until its time is over.
      ConditionExpression:
        'attribute_exists(unreadable) AND (attribute_not_exists(#transfer) OR attribute_not_exists(nextPollAt))',
      ExpressionAttributeNames: { '#transfer': 'transfer' },
    });
    return (await unlessConditionFails(updateItem(dynamo, clock, update))) !== undefined;
  };
}
