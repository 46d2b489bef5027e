import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateQuery,
  QueryCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { batchGetReadable } from '#shared/platform/dynamodb/batch-get.ts';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import { unlessConditionFails } from '#shared/platform/dynamodb/conditional-write.ts';
import { readFirstEntries } from '#shared/platform/dynamodb/index-entries.ts';
import { WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { parseReadable, reportUnreadable } from '#shared/platform/unreadable.ts';
import { type ExternalWallet, externalWallet, type User, user } from './user.ts';

/** Finds a user of any client. */
function createFindAnyUser(dynamo: DynamoDBDocumentClient, table: string) {
  return async (userId: string): Promise<User | undefined> => {
    const { Item } = await dynamo.send(new GetCommand({ TableName: table, Key: { userId }, ConsistentRead: true }));
    return Item && user.parse(Item);
  };
}

/** Finds a user of the client; `undefined` for a user of another client. */
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

const indexEntry = z.object({ userId: z.string() });

/** True if the client has this user, even if it is unreadable: any user may be a cursor. */
export function createHasUser(dynamo: DynamoDBDocumentClient, table: string) {
  return async (clientId: string, userId: string): Promise<boolean> => {
    const { Item } = await dynamo.send(new GetCommand({ TableName: table, Key: { userId }, ConsistentRead: true }));
    return Item?.['clientId'] === clientId;
  };
}

export type HasUser = ReturnType<typeof createHasUser>;

/** Lists a client's readable users by id, at most 100, and the start of the next page. */
export function createListUsersOf(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return async (clientId: string, after: string | undefined, most: number) => {
    const found = await readFirstEntries(dynamo, table, indexEntry, {
      index: 'byClient',
      condition: 'clientId = :client',
      values: { ':client': clientId },
      after: after === undefined ? undefined : { clientId, userId: after },
      most: most + 1,
    });
    const keys = found.slice(0, most).map(({ userId }) => ({ userId }));
    const { items: users, unreadable } = await batchGetReadable(dynamo, clock, table, keys, user);
    const nextAfter = found.length > most ? found[most - 1]?.userId : undefined;
    return { users, unreadableIds: reportUnreadable(unreadable), nextAfter };
  };
}

export type ListUsersOf = ReturnType<typeof createListUsersOf>;

/** True if the user has this wallet, even if it is unreadable: any wallet may be a cursor. */
export function createHasWallet(dynamo: DynamoDBDocumentClient, table: string) {
  return async (userId: string, walletId: string): Promise<boolean> => {
    const get = new GetCommand({ TableName: table, Key: { userId, walletId }, ConsistentRead: true });
    return (await dynamo.send(get)).Item !== undefined;
  };
}

export type HasWallet = ReturnType<typeof createHasWallet>;

const walletKey = z.pick(externalWallet, { walletId: true });

/** Lists a user's readable wallets by id, after the given one, and the start of the next page. */
export function createListWallets(dynamo: DynamoDBDocumentClient, table: string) {
  return async (userId: string, after: string | undefined, most: number) => {
    const { Items = [] } = await dynamo.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: 'userId = :user',
        ExpressionAttributeValues: { ':user': userId },
        ...(after !== undefined && { ExclusiveStartKey: { userId, walletId: after } }),
        Limit: most + 1,
        ConsistentRead: true,
      }),
    );
    const [wallets] = readWallets(Items.slice(0, most));
    return { wallets, nextAfter: Items.length > most ? idOfWallet(Items[most - 1]) : undefined };
  };
}

const idOfWallet = (item: unknown) => walletKey.parse(item).walletId;

/** The wallets that can be read, and the ids of the others. */
function readWallets(items: readonly Item[]): readonly [wallets: ExternalWallet[], unreadableIds: string[]] {
  const found = items.map((item) => parseReadable(idOfWallet(item), () => externalWallet.parse(item)));
  const unreadable = items.filter((_, at) => found[at] === undefined);
  return [found.filter((wallet) => wallet !== undefined), unreadable.map(idOfWallet)];
}

export type ListWallets = ReturnType<typeof createListWallets>;

interface UserTables {
  readonly users: string;
  readonly wallets: string;
}

/** Creates and changes users and wallets for operators. */
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

    /**
     * Writes the data of a user; the client stays.
     *
     * @throws {WriteConflict} when it changed after it was read
     */
    async update(seen: User, { phone, payer }: Pick<User, 'phone' | 'payer'>): Promise<void> {
      const asSeen = (name: 'phone' | 'payer') =>
        seen[name] === undefined ? `attribute_not_exists(${name})` : `${name} = :${name}Seen`;
      const update = new UpdateCommand({
        TableName: tables.users,
        Key: { userId: seen.userId },
        UpdateExpression: phone === undefined ? 'SET payer = :payer' : 'SET payer = :payer, phone = :phone',
        ConditionExpression: `clientId = :client AND attribute_not_exists(closedAt) AND ${asSeen('phone')} AND ${asSeen('payer')}`,
        ExpressionAttributeValues: {
          ...{ ':payer': payer, ':phone': phone, ':client': seen.clientId },
          // DynamoDB refuses a value that no expression uses; an undefined one is left out.
          ...{ ':phoneSeen': seen.phone, ':payerSeen': seen.payer },
        },
      });
      if ((await unlessConditionFails(dynamo.send(update))) === undefined) throw new WriteConflict('payer');
    },

    /** Lists the user's wallets that can be read, and the ids of the others. */
    async listWallets(userId: string) {
      const found: Item[] = [];
      const pages = paginateQuery(
        { client: dynamo },
        {
          TableName: tables.wallets,
          KeyConditionExpression: 'userId = :user',
          ExpressionAttributeValues: { ':user': userId },
          ConsistentRead: true,
        },
      );
      for await (const { Items = [] } of pages) found.push(...Items);
      const [wallets, unreadableIds] = readWallets(found);
      return { wallets, ...(unreadableIds.length > 0 && { unreadableWallets: unreadableIds }) };
    },

    /** A repeat writes the same record. */
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
