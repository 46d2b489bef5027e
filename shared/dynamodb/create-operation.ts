import type { DynamoDBClient, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { awaitedDepositKey } from '#shared/domain/deposit-key.ts';
import type { OffRamp } from '#shared/domain/operation.ts';
import { toItem } from './client.ts';
import { operationEvents } from './outbox.ts';
import { userReference } from './records-of-user.ts';
import { transact } from './transaction.ts';

/** Puts a new operation and its first event; false when there is one with this id already. */
export async function createOperation(
  dynamo: DynamoDBClient,
  tables: { readonly operations: string; readonly events: string },
  operation: OffRamp,
  newId: () => string,
): Promise<boolean> {
  const lost = await transact(dynamo, {
    operation: putOperation(tables.operations, operation),
    ...operationEvents({ table: tables.events, now: new Date(operation.createdAt), newId }, undefined, operation),
  });
  return lost.size === 0;
}

/** The leg that puts a new operation into the table, where it is found by the deposit that it awaits and by its reference. */
function putOperation(table: string, operation: OffRamp): TransactWriteItem {
  const indexed = { awaitedDepositKey: awaitedDepositKey(operation), userReference: userReference(operation) };
  return {
    Put: {
      TableName: table,
      Item: toItem({ ...operation, record: 'OPERATION', ...indexed }),
      ConditionExpression: 'attribute_not_exists(operationId)',
    },
  };
}
