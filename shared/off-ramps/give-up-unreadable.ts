import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '#shared/platform/clock.ts';
import { unlessConditionFails } from '#shared/platform/dynamodb/condition.ts';
import { updateItem } from '#shared/platform/dynamodb/update-item.ts';
import { isDepositKey } from './deposit-polls.ts';

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
