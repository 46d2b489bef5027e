import {
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  paginateQuery,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { fromItem, type Item, toItem } from '#shared/platform/dynamodb/client.ts';
import { bank, supportedToken } from './parameter-lists.ts';

export type ParameterKind = 'BANK' | 'TOKEN';

/** Every bank, active or not. */
export function createListBanks(dynamo: DynamoDBClient, table: string) {
  return async () => (await itemsOf(dynamo, table, 'BANK')).map((item) => fromItem(bank, item));
}

/** Every token, active or not. */
export function createListSupportedTokens(dynamo: DynamoDBClient, table: string) {
  return async () => (await itemsOf(dynamo, table, 'TOKEN')).map((item) => fromItem(supportedToken, item));
}

export function createParameterStore(dynamo: DynamoDBClient, table: string) {
  return {
    async ids(kind: ParameterKind): Promise<readonly string[]> {
      const items = await itemsOf(dynamo, table, kind, { ConsistentRead: true });
      return items.map((item) => fromItem(sortKey, item).id);
    },

    async put(kind: ParameterKind, id: string, parameter: Readonly<Record<string, unknown>>): Promise<void> {
      await dynamo.send(new PutItemCommand({ TableName: table, Item: toItem({ ...parameter, kind, id }) }));
    },

    async remove(kind: ParameterKind, id: string): Promise<void> {
      await dynamo.send(new DeleteItemCommand({ TableName: table, Key: toItem({ kind, id }) }));
    },
  };
}

export type Parameters = ReturnType<typeof createParameterStore>;

const sortKey = z.object({ id: z.string() });

async function itemsOf(
  client: DynamoDBClient,
  table: string,
  kind: ParameterKind,
  how: Partial<QueryCommandInput> = {},
): Promise<readonly Item[]> {
  const pages = paginateQuery(
    { client },
    {
      TableName: table,
      KeyConditionExpression: 'kind = :kind',
      ExpressionAttributeValues: toItem({ ':kind': kind }),
      ...how,
    },
  );
  const items: Item[] = [];
  for await (const page of pages) items.push(...(page.Items ?? []));
  return items;
}
