import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Item } from './client.ts';

/** The result of a conditional write; `undefined` when the condition failed and nothing was written. */
export async function unlessConditionFails<Output>(write: Promise<Output>): Promise<Output | undefined> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}

/**
 * The stored item that failed the condition of a write, if the write requested it; `undefined` when there was none. Any
 * other error is thrown again. The document client leaves the items of errors as DynamoDB writes them.
 *
 * @throws whatever is not the failure of a condition
 */
export function itemInTheWay(error: unknown): Item | undefined {
  if (!(error instanceof ConditionalCheckFailedException)) throw error;
  return error.Item && unmarshall(error.Item);
}
