import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '#shared/platform/clock.ts';
import { unlessConditionFails } from '#shared/platform/dynamodb/conditional-write.ts';
import { simulatedOutcomes } from './outcomes.ts';
import { type SimulatedTransfer, simulatedTransactionId, transferAttribute } from './transactions.ts';

/**
 * Puts a transfer on the simulated chain, or changes it; returns false when the transaction belongs to another client.
 * All transfers of a transaction have its creation time, as on a chain.
 */
export function putSimulatedTransfer(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const outcomes = simulatedOutcomes(dynamo, table);
  return async (
    { number, transfer, isUnavailable }: SimulatedTransfer,
    { clientId, depositId }: { readonly clientId: string; readonly depositId: string },
  ): Promise<boolean> => {
    const now = clock.now().toISOString();
    const created = 'createdAt = if_not_exists(createdAt, :now), createdOn = if_not_exists(createdOn, :today)';
    const update = new UpdateCommand({
      TableName: table,
      Key: { custodianTransferId: simulatedTransactionId(transfer.network, transfer.txHash) },
      UpdateExpression: `SET clientId = :own, isUnavailable = :unavailable, #transfer = :transfer, ${created}`,
      ConditionExpression: 'attribute_not_exists(custodianTransferId) OR clientId = :own',
      ExpressionAttributeNames: { '#transfer': transferAttribute(number) },
      ExpressionAttributeValues: {
        ...{ ':own': clientId, ':unavailable': isUnavailable, ':transfer': transfer },
        ...{ ':now': now, ':today': now.slice(0, 'yyyy-mm-dd'.length) },
      },
    });
    const isPut = (await unlessConditionFails(dynamo.send(update))) !== undefined;
    if (isPut) await outcomes.put(depositId, transfer.custodianTransferId);
    return isPut;
  };
}
