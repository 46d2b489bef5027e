import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  paginateQuery,
  type QueryCommandInput,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import { bank, supportedToken } from './parameter-lists.ts';

export type ParameterKind = 'BANK' | 'TOKEN';

/** Every bank, active or not. */
export function createListBanks(dynamo: DynamoDBDocumentClient, table: string) {
  return async () => (await itemsOf(dynamo, table, 'BANK')).map((item) => bank.parse(item));
}

/** Every token, active or not. */
export function createListSupportedTokens(dynamo: DynamoDBDocumentClient, table: string) {
  return async () => (await itemsOf(dynamo, table, 'TOKEN')).map((item) => supportedToken.parse(item));
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
