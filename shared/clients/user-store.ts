import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { network } from '#shared/networks/network.ts';
import { fromItem, toItem } from '#shared/platform/dynamodb/client.ts';

const text = z.optional(z.string());

const user = z.object({
  userId: z.string(),
  clientId: z.string(),
  /** Registered mobile number. */
  phone: text,
  /** What rails ask of a payer. */
  payer: z.optional(z.object({ fullName: text, email: text, documentType: text, documentNumber: text })),
});

export type User = z.infer<typeof user>;

/** An address outside the service that a user declared to send from. */
const externalWallet = z.object({ walletId: z.string(), userId: z.string(), network, address: z.string() });

export type ExternalWallet = z.infer<typeof externalWallet>;

/** A user of the client. Another client's user does not exist for it. */
export function createUserStore(dynamo: DynamoDBClient, table: string) {
  return async (clientId: string, userId: string): Promise<User | undefined> => {
    const { Item } = await dynamo.send(
      new GetItemCommand({ TableName: table, Key: toItem({ userId }), ConsistentRead: true }),
    );
    const found = Item && fromItem(user, Item);
    return found?.clientId === clientId ? found : undefined;
  };
}

export type FindUser = ReturnType<typeof createUserStore>;

export function createWalletStore(dynamo: DynamoDBClient, table: string) {
  return async (userId: string, walletId: string): Promise<ExternalWallet | undefined> => {
    const { Item } = await dynamo.send(
      new GetItemCommand({ TableName: table, Key: toItem({ userId, walletId }), ConsistentRead: true }),
    );
    return Item && fromItem(externalWallet, Item);
  };
}
