import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { userReference } from '#shared/clients/user-index.ts';
import { type TransactionLeg, transact } from '#shared/platform/dynamodb/transaction.ts';
import { assignAddress } from './assigned-addresses.ts';
import { awaitedDepositKey } from './deposit-key.ts';
import type { OffRamp } from './off-ramp.ts';
import { operationEvents } from './off-ramp-event-records.ts';

/**
 * Puts a new operation and its first event, and assigns its deposit address; false when there is one with this id already.
 *
 * @throws when the address belongs to another user: two users must never be told the same one.
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

/** The leg that puts a new operation into the table, where it is found by the deposit that it awaits and by its reference. */
function putOperation(table: string, operation: OffRamp): TransactionLeg {
  const indexed = { awaitedDepositKey: awaitedDepositKey(operation), userReference: userReference(operation) };
  return {
    Put: {
      TableName: table,
      Item: { ...operation, record: 'OPERATION', ...indexed },
      ConditionExpression: 'attribute_not_exists(operationId)',
    },
  };
}
