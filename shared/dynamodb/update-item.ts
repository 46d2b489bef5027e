import type { DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { systemClock } from '#shared/runtime/clock.ts';
import { decideAgain } from './decide-again.ts';
import { asConflict } from './transaction.ts';

/** Writes one item that transactions write too, again while one of them holds it or the table is throttled. */
export function whenFree<Output>(write: () => Promise<Output>): Promise<Output> {
  return decideAgain(systemClock, async () => {
    try {
      return await write();
    } catch (error) {
      throw asConflict(error);
    }
  });
}

/** Updates one item; what is written does not depend on what the item was, but for the condition of the command. */
export function updateItem(dynamo: DynamoDBClient, command: UpdateItemCommand) {
  return whenFree(() => dynamo.send(command));
}
