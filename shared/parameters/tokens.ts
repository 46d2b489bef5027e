import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { fromItem, toItem } from '#shared/platform/dynamodb/client.ts';
import { type SupportedToken, supportedToken } from './parameter-lists.ts';

/** As it was a moment ago: tokens change with a deployment. */
export function createTokenStore(dynamo: DynamoDBClient, table: string) {
  return async (tokenId: number): Promise<SupportedToken | undefined> => {
    const Key = toItem({ kind: 'TOKEN', id: String(tokenId) });
    const { Item } = await dynamo.send(new GetItemCommand({ TableName: table, Key }));
    return Item && fromItem(supportedToken, Item);
  };
}
