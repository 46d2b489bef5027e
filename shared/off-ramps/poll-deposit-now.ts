import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '#shared/platform/clock.ts';
import { unlessConditionFails } from '#shared/platform/dynamodb/condition.ts';
import { updateItem } from '#shared/platform/dynamodb/update-item.ts';
import { type Deposit, deposit } from './deposit.ts';
import { dueShardOf, isDepositKey } from './deposit-polls.ts';

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
