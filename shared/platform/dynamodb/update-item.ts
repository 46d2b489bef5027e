import type { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '#shared/platform/clock.ts';
import { retryOnConflict } from './retry-on-conflict.ts';
import { asConflict } from './transaction.ts';

/**
 * Writes one item that transactions write as well. Retries while a transaction holds the item or the table is
 * throttled.
 */
export function retryOnTransactionConflict<Output>(clock: Clock, write: () => Promise<Output>): Promise<Output> {
  return retryOnConflict(clock, async () => {
    try {
      return await write();
    } catch (error) {
      throw asConflict(error);
    }
  });
}

/** Updates one item. What is written does not depend on the stored item, except by the condition of the command. */
export function updateItem(dynamo: DynamoDBDocumentClient, clock: Clock, command: UpdateCommand) {
  return retryOnTransactionConflict(clock, () => dynamo.send(command));
}
