import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { network } from '#shared/contracts/fields.ts';
import { fromItem, toItem } from './client.ts';

const user = z.object({ userId: z.string(), clientId: z.string() });

/** An address outside the service that a user declared to send from. */
const externalWallet = z.object({ walletId: z.string(), userId: z.string(), network, address: z.string() });

export type ExternalWallet = z.infer<typeof externalWallet>;

/** Whether the client has the user. Another client's user does not exist for it. */
export function usersIn(dynamo: DynamoDBClient, table: string) {
  return async (clientId: string, userId: string): Promise<boolean> => {
    const { Item } = await dynamo.send(new GetItemCommand({ TableName: table, Key: toItem({ userId }) }));
    return Item !== undefined && fromItem(user, Item).clientId === clientId;
  };
}

export function walletsIn(dynamo: DynamoDBClient, table: string) {
  return async (userId: string, walletId: string): Promise<ExternalWallet | undefined> => {
    const { Item } = await dynamo.send(new GetItemCommand({ TableName: table, Key: toItem({ userId, walletId }) }));
    return Item && fromItem(externalWallet, Item);
  };
}
