import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '#shared/platform/clock.ts';
import type { Item } from './client.ts';
import { itemInTheWay, updateItem } from './conditional-write.ts';

interface Counter {
  readonly table: string;
  readonly key: Item;
  /** The attribute with the count. */
  readonly name: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/**
 * Counts one more, up to the most, which is at least 1. `isCounted` is false, and nothing is written, once that is
 * reached. Returns the item as it is afterwards.
 */
export async function countUpTo(
  dynamo: DynamoDBDocumentClient,
  clock: Clock,
  most: number,
  { table, key, name, expiresAt }: Counter,
): Promise<{ readonly isCounted: boolean; readonly item: Item | undefined }> {
  const update = new UpdateCommand({
    TableName: table,
    Key: key,
    UpdateExpression: 'SET #count = if_not_exists(#count, :none) + :one, expiresAt = :expiresAt',
    ConditionExpression: 'attribute_not_exists(#count) OR #count < :most',
    ExpressionAttributeNames: { '#count': name },
    ExpressionAttributeValues: { ':none': 0, ':one': 1, ':most': most, ':expiresAt': expiresAt },
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  try {
    const { Attributes } = await updateItem(dynamo, clock, update);
    return { isCounted: true, item: Attributes };
  } catch (error) {
    return { isCounted: false, item: itemInTheWay(error) };
  }
}
