import type { DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { systemClock } from '#shared/runtime/clock.ts';
import { decideAgain } from './decide-again.ts';
import { writeItem } from './transaction.ts';

/** Updates one item, again while a transaction holds it: what is written does not depend on what the item was. */
export async function updateItem(dynamo: DynamoDBClient, command: UpdateItemCommand): Promise<void> {
  await decideAgain(systemClock, () => writeItem(() => dynamo.send(command)));
}
