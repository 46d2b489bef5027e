import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';

/** Keeps which operations have their simulated payout held, in the table of simulated payments. */
export function createHeldPayouts(dynamo: DynamoDBDocumentClient, table: string) {
  const key = (operationId: string) => ({ paymentId: `HELD_PAYOUT#${operationId}` });
  return {
    async hold(operationId: string): Promise<void> {
      await dynamo.send(new PutCommand({ TableName: table, Item: key(operationId) }));
    },

    async isHeld(operationId: string): Promise<boolean> {
      const read = new GetCommand({ TableName: table, Key: key(operationId), ConsistentRead: true });
      return (await dynamo.send(read)).Item !== undefined;
    },
  };
}

export type HeldPayouts = ReturnType<typeof createHeldPayouts>;
