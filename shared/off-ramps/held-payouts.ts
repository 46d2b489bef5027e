import { type DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { toItem } from '#shared/platform/dynamodb/client.ts';

/** Operations whose simulated payout waits, beside the simulated payments. */
export function createHeldPayouts(dynamo: DynamoDBClient, table: string) {
  const key = (operationId: string) => toItem({ paymentId: `HELD_PAYOUT#${operationId}` });
  return {
    async hold(operationId: string): Promise<void> {
      await dynamo.send(new PutItemCommand({ TableName: table, Item: key(operationId) }));
    },

    async isHeld(operationId: string): Promise<boolean> {
      const read = new GetItemCommand({ TableName: table, Key: key(operationId), ConsistentRead: true });
      return (await dynamo.send(read)).Item !== undefined;
    },
  };
}

export type HeldPayouts = ReturnType<typeof createHeldPayouts>;
