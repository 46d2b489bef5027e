import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateQuery,
  QueryCommand,
  type QueryCommandInput,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import { bank, type SupportedToken, supportedToken } from './parameter-lists.ts';

export type ParameterKind = 'BANK' | 'TOKEN';

/** Every bank, active or not. */
export function createListBanks(dynamo: DynamoDBDocumentClient, table: string) {
  return async () => (await itemsOf(dynamo, table, 'BANK')).map((item) => bank.parse(item));
}

/** Every token, active or not. */
export function createListSupportedTokens(dynamo: DynamoDBDocumentClient, table: string) {
  return async () => (await itemsOf(dynamo, table, 'TOKEN')).map((item) => supportedToken.parse(item));
}

/** As it was a moment ago: tokens change with a deployment. */
export function createFindSupportedToken(dynamo: DynamoDBDocumentClient, table: string) {
  return async (tokenId: number): Promise<SupportedToken | undefined> => {
    const Key = { kind: 'TOKEN', id: String(tokenId) };
    const { Item } = await dynamo.send(new GetCommand({ TableName: table, Key }));
    return Item && supportedToken.parse(Item);
  };
}

/**
 * Whether an active bank of the bank list has this code, as it was a moment ago: banks change with a deployment. The list
 * has some dozens of them: one page.
 */
export function createIsActiveBank(dynamo: DynamoDBDocumentClient, table: string) {
  return async (code: string): Promise<boolean> => {
    const { Count = 0 } = await dynamo.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: '#kind = :bank',
        FilterExpression: '#code = :code AND #active = :yes',
        ExpressionAttributeNames: { '#kind': 'kind', '#code': 'code', '#active': 'active' },
        ExpressionAttributeValues: { ':bank': 'BANK', ':code': code, ':yes': true },
      }),
    );
    return Count > 0;
  };
}

export function createParameterStore(dynamo: DynamoDBDocumentClient, table: string) {
  return {
    async ids(kind: ParameterKind): Promise<readonly string[]> {
      const items = await itemsOf(dynamo, table, kind, { ConsistentRead: true });
      return items.map((item) => sortKey.parse(item).id);
    },

    async put(kind: ParameterKind, id: string, parameter: Readonly<Record<string, unknown>>): Promise<void> {
      await dynamo.send(new PutCommand({ TableName: table, Item: { ...parameter, kind, id } }));
    },

    async remove(kind: ParameterKind, id: string): Promise<void> {
      await dynamo.send(new DeleteCommand({ TableName: table, Key: { kind, id } }));
    },
  };
}

export type Parameters = ReturnType<typeof createParameterStore>;

const sortKey = z.object({ id: z.string() });

async function itemsOf(
  client: DynamoDBDocumentClient,
  table: string,
  kind: ParameterKind,
  how: Partial<QueryCommandInput> = {},
): Promise<readonly Item[]> {
  const pages = paginateQuery(
    { client },
    {
      TableName: table,
      KeyConditionExpression: 'kind = :kind',
      ExpressionAttributeValues: { ':kind': kind },
      ...how,
    },
  );
  const items: Item[] = [];
  for await (const page of pages) items.push(...(page.Items ?? []));
  return items;
}
