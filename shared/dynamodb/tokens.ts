import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { fromItem, toItem } from './client.ts';

const supportedToken = z.object({
  tokenId: z.int(),
  token: z.string(),
  active: z.boolean(),
  /** What the token is on each network that carries it. */
  networks: z.record(z.string(), z.object({ custodianAssetId: z.string(), decimals: z.int() })),
});

export type SupportedToken = z.infer<typeof supportedToken>;

export function tokensIn(dynamo: DynamoDBClient, table: string) {
  return async (tokenId: number): Promise<SupportedToken | undefined> => {
    const Key = toItem({ kind: 'TOKEN', id: String(tokenId) });
    const { Item } = await dynamo.send(new GetItemCommand({ TableName: table, Key }));
    return Item && fromItem(supportedToken, Item);
  };
}
