import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { type Deposit, deposit } from './deposit.ts';

/* Apart from the store, so that who reads a deposit bundles nothing that writes. */

/** A deposit as it is now. */
export function createFindDeposit(dynamo: DynamoDBDocumentClient, table: string) {
  return async (custodianTransferId: string): Promise<Deposit | undefined> => {
    const { Item } = await dynamo.send(
      new GetCommand({ TableName: table, Key: { custodianTransferId }, ConsistentRead: true }),
    );
    return Item && deposit.parse(Item);
  };
}

export type FindDeposit = ReturnType<typeof createFindDeposit>;
