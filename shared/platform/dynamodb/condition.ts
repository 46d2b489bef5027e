import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Item } from './client.ts';

/** What a conditional write answers; `undefined` when its condition did not hold, and nothing was written. */
export async function unlessConditionFails<Output>(write: Promise<Output>): Promise<Output | undefined> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}

/**
 * The item that stood in the way of a write that asked for it; `undefined` when there was none, or another error is thrown
 * again. The document client leaves the items of errors as DynamoDB writes them.
 *
 * @throws whatever is not the failure of a condition
 */
export function itemInTheWay(error: unknown): Item | undefined {
  if (!(error instanceof ConditionalCheckFailedException)) throw error;
  return error.Item && unmarshall(error.Item);
}
