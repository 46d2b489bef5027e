import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';

/** What a conditional write answers; `undefined` when its condition did not hold, and nothing was written. */
export async function unlessConditionFails<Output>(write: Promise<Output>): Promise<Output | undefined> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}
