import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { network } from '#shared/networks/network.ts';

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
export function createUserStore(dynamo: DynamoDBDocumentClient, table: string) {
  return async (clientId: string, userId: string): Promise<User | undefined> => {
    const { Item } = await dynamo.send(new GetCommand({ TableName: table, Key: { userId }, ConsistentRead: true }));
    const found = Item && user.parse(Item);
    return found?.clientId === clientId ? found : undefined;
  };
}

export type FindUser = ReturnType<typeof createUserStore>;

export function createWalletStore(dynamo: DynamoDBDocumentClient, table: string) {
  return async (userId: string, walletId: string): Promise<ExternalWallet | undefined> => {
    const { Item } = await dynamo.send(
      new GetCommand({ TableName: table, Key: { userId, walletId }, ConsistentRead: true }),
    );
    return Item && externalWallet.parse(Item);
  };
}
