import { type DynamoDBClient, TransactionConflictException, type UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { systemClock } from '#shared/runtime/clock.ts';
import { decideAgain } from './decide-again.ts';
import { WriteConflict } from './transaction.ts';

/** Writes one item that transactions write too, again while one of them holds it. */
export function whenFree<Output>(write: () => Promise<Output>): Promise<Output> {
  return decideAgain(systemClock, async () => {
    try {
      return await write();
    } catch (error) {
      if (error instanceof TransactionConflictException) throw new WriteConflict(error.name, { cause: error });
      throw error;
    }
  });
}

/** Updates one item; what is written does not depend on what the item was, but for the condition of the command. */
export function updateItem(dynamo: DynamoDBClient, command: UpdateItemCommand) {
  return whenFree(() => dynamo.send(command));
}
