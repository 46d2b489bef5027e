import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { type SupportedToken, supportedToken } from './parameter-lists.ts';

/** As it was a moment ago: tokens change with a deployment. */
export function createTokenStore(dynamo: DynamoDBDocumentClient, table: string) {
  return async (tokenId: number): Promise<SupportedToken | undefined> => {
    const Key = { kind: 'TOKEN', id: String(tokenId) };
    const { Item } = await dynamo.send(new GetCommand({ TableName: table, Key }));
    return Item && supportedToken.parse(Item);
  };
}
