import { type DynamoDBClient, TransactionConflictException, type UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { systemClock } from '#shared/runtime/clock.ts';
import { decideAgain } from './decide-again.ts';
import { WriteConflict } from './transaction.ts';

/**
 * Updates one item that transactions write too, again while one of them holds it: what is written does not depend on
 * what the item was.
 */
export async function updateItem(dynamo: DynamoDBClient, command: UpdateItemCommand): Promise<void> {
  await decideAgain(systemClock, async () => {
    try {
      await dynamo.send(command);
    } catch (error) {
      if (error instanceof TransactionConflictException) throw new WriteConflict(error.name, { cause: error });
      throw error;
    }
  });
}
