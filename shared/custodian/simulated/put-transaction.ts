import { type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { toItem } from '#shared/dynamodb/client.ts';
import { unlessConditionFails } from '#shared/dynamodb/condition.ts';
import type { SimulatedTransaction } from './transactions.ts';

/** Puts a transaction on the simulated chain, or changes it; false when another client put it there. */
export function putSimulatedTransaction(dynamo: DynamoDBClient, table: string) {
  return async (transaction: SimulatedTransaction, clientId: string): Promise<boolean> => {
    const put = new PutItemCommand({
      TableName: table,
      Item: toItem({ ...transaction, clientId }),
      ConditionExpression: 'attribute_not_exists(custodianTransferId) OR clientId = :own',
      ExpressionAttributeValues: toItem({ ':own': clientId }),
    });
    return (await unlessConditionFails(dynamo.send(put))) !== undefined;
  };
}
