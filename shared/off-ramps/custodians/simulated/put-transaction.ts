import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unlessConditionFails } from '#shared/platform/dynamodb/conditional-write.ts';
import { type SimulatedTransfer, simulatedTransactionId, transferAttribute } from './transactions.ts';

/** Puts a transfer on the simulated chain, or changes it; false when the transaction is another client's. */
export function putSimulatedTransfer(dynamo: DynamoDBDocumentClient, table: string) {
  return async ({ number, transfer, isUnavailable }: SimulatedTransfer, clientId: string): Promise<boolean> => {
    const update = new UpdateCommand({
      TableName: table,
      Key: { custodianTransferId: simulatedTransactionId(transfer.network, transfer.txHash) },
      UpdateExpression: 'SET clientId = :own, isUnavailable = :unavailable, #transfer = :transfer',
      ConditionExpression: 'attribute_not_exists(custodianTransferId) OR clientId = :own',
      ExpressionAttributeNames: { '#transfer': transferAttribute(number) },
      ExpressionAttributeValues: { ':own': clientId, ':unavailable': isUnavailable, ':transfer': transfer },
    });
    return (await unlessConditionFails(dynamo.send(update))) !== undefined;
  };
}
