import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '#shared/platform/clock.ts';
import { unlessConditionFails } from '#shared/platform/dynamodb/condition.ts';
import { updateItem } from '#shared/platform/dynamodb/update-item.ts';
import { type Payin, payin } from './pay-in.ts';
import { payinKey } from './pay-in-records.ts';

/**
 * Makes the next poll of a pay-in due, so that the sweep asks the rail in a minute; the pay-in as it is then. `undefined`
 * when there is none.
 */
export type PollPayinNow = (payinId: string, at: string) => Promise<Payin | undefined>;

export function createPollPayinNow(dynamo: DynamoDBDocumentClient, table: string, clock: Clock): PollPayinNow {
  return async (payinId, at) => {
    const update = new UpdateCommand({
      TableName: table,
      Key: payinKey(payinId),
      UpdateExpression: 'SET nextPollAt = :at',
      ConditionExpression: 'attribute_exists(payinId)',
      ExpressionAttributeValues: { ':at': at },
      ReturnValues: 'ALL_NEW',
    });
    const written = await unlessConditionFails(updateItem(dynamo, clock, update));
    return written && payin.parse(written.Attributes);
  };
}
