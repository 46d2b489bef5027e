import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  paginateQuery,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { unlessConditionFails } from '#shared/platform/dynamodb/condition.ts';
import { WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { type ExternalWallet, externalWallet, type User } from './user.ts';
import { createFindAnyUser } from './user-store.ts';

interface UserTables {
  readonly users: string;
  readonly wallets: string;
}

/** Users and their wallets as operators make them. */
export function createUserOnboarding(dynamo: DynamoDBDocumentClient, tables: UserTables) {
  return {
    find: createFindAnyUser(dynamo, tables.users),

    async add(record: User): Promise<void> {
      await dynamo.send(
        new PutCommand({
          TableName: tables.users,
          Item: record,
          ConditionExpression: 'attribute_not_exists(userId)',
        }),
      );
    },

    /** Writes what is said of a user, which stays its client's. @throws {WriteConflict} when it was written since it was read */
    async update(seen: User, { phone, payer }: Pick<User, 'phone' | 'payer'>): Promise<void> {
      const asSeen = (name: 'phone' | 'payer') =>
        seen[name] === undefined ? `attribute_not_exists(${name})` : `${name} = :${name}Seen`;
      const update = new UpdateCommand({
        TableName: tables.users,
        Key: { userId: seen.userId },
        UpdateExpression: phone === undefined ? 'SET payer = :payer' : 'SET payer = :payer, phone = :phone',
        ConditionExpression: `clientId = :client AND ${asSeen('phone')} AND ${asSeen('payer')}`,
        ExpressionAttributeValues: {
          ...{ ':payer': payer, ':phone': phone, ':client': seen.clientId },
          // A value that no expression uses is refused.
          ...{ ':phoneSeen': seen.phone, ':payerSeen': seen.payer },
        },
      });
      if ((await unlessConditionFails(dynamo.send(update))) === undefined) throw new WriteConflict('payer');
    },

    async listWallets(userId: string): Promise<readonly ExternalWallet[]> {
      const found: ExternalWallet[] = [];
      const pages = paginateQuery(
        { client: dynamo },
        {
          TableName: tables.wallets,
          KeyConditionExpression: 'userId = :user',
          ExpressionAttributeValues: { ':user': userId },
          ConsistentRead: true,
        },
      );
      for await (const { Items = [] } of pages) found.push(...Items.map((item) => externalWallet.parse(item)));
      return found;
    },

    /** The same wallet again is the same record. */
    async declareWallet(wallet: ExternalWallet): Promise<void> {
      await dynamo.send(new PutCommand({ TableName: tables.wallets, Item: wallet }));
    },

    /** False when there is no such wallet. */
    async withdrawWallet(userId: string, walletId: string): Promise<boolean> {
      const deletion = new DeleteCommand({
        TableName: tables.wallets,
        Key: { userId, walletId },
        ConditionExpression: 'attribute_exists(walletId)',
      });
      return (await unlessConditionFails(dynamo.send(deletion))) !== undefined;
    },
  };
}

export type UserOnboarding = ReturnType<typeof createUserOnboarding>;
