import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { type ExternalWallet, externalWallet, type User, user } from './user.ts';

/** A user, whosever it is. */
export function createFindAnyUser(dynamo: DynamoDBDocumentClient, table: string) {
  return async (userId: string): Promise<User | undefined> => {
    const { Item } = await dynamo.send(new GetCommand({ TableName: table, Key: { userId }, ConsistentRead: true }));
    return Item && user.parse(Item);
  };
}

/** A user of the client. Another client's user does not exist for it. */
export function createFindUser(dynamo: DynamoDBDocumentClient, table: string) {
  const find = createFindAnyUser(dynamo, table);
  return async (clientId: string, userId: string): Promise<User | undefined> => {
    const found = await find(userId);
    return found?.clientId === clientId ? found : undefined;
  };
}

export type FindUser = ReturnType<typeof createFindUser>;

export function createFindWallet(dynamo: DynamoDBDocumentClient, table: string) {
  return async (userId: string, walletId: string): Promise<ExternalWallet | undefined> => {
    const { Item } = await dynamo.send(
      new GetCommand({ TableName: table, Key: { userId, walletId }, ConsistentRead: true }),
    );
    return Item && externalWallet.parse(Item);
  };
}
