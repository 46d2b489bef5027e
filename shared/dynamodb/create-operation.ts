import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { OffRamp } from '#shared/domain/operation.ts';
import { putOperation } from './operations.ts';
import { statusEvents } from './outbox.ts';
import { transact } from './transaction.ts';

/** Puts a new operation and its first event; false when there is one with this id already. */
export async function createOperation(
  dynamo: DynamoDBClient,
  table: string,
  operation: OffRamp,
  newId: () => string,
): Promise<boolean> {
  const lost = await transact(dynamo, {
    operation: putOperation(table, operation),
    ...statusEvents({ table, now: new Date(operation.createdAt), newId }, undefined, operation),
  });
  return lost.size === 0;
}
