import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { transact } from '#shared/platform/dynamodb/transaction.ts';
import { assignAddress } from './assigned-addresses.ts';
import type { OffRamp } from './off-ramp.ts';
import { operationEvents } from './off-ramp-event-records.ts';
import { putOperation } from './off-ramp-store.ts';

/**
 * Puts a new operation and its first event, and assigns its deposit address; false when there is one with this id
 * already.
 *
 * @throws when the address belongs to another user: two users must never get the same one.
 */
export async function createOperation(
  dynamo: DynamoDBDocumentClient,
  tables: { readonly operations: string; readonly hashes: string; readonly events: string },
  operation: OffRamp,
  newId: () => string,
): Promise<boolean> {
  const lost = await transact(dynamo, {
    operation: putOperation(tables.operations, operation),
    address: assignAddress(tables.hashes, operation),
    ...operationEvents({ table: tables.events, now: new Date(operation.createdAt), newId }, undefined, operation),
  });
  if (lost.has('operation')) return false;
  if (lost.size > 0) throw new Error(`The deposit address of ${operation.operationId} belongs to another user.`);
  return true;
}
