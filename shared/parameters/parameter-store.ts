import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  paginateQuery,
  QueryCommand,
  type QueryCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import { assignments, unlessConditionFails } from '#shared/platform/dynamodb/conditional-write.ts';
import { parseReadable } from '#shared/platform/unreadable.ts';
import { bank, type SupportedToken, supportedToken } from './parameter-lists.ts';

export type ParameterKind = 'BANK' | 'TOKEN';

/** The operators' decision about an entry, which no deployment changes. */
export const operatorDecision = z.object({ deactivatedAt: z.optional(z.string()) });

/** An entry is active if it is active in its file and no operator has deactivated it. */
function inForce<Entry extends { readonly active: boolean }>(entry: Entry, item: Item): Entry {
  return { ...entry, active: entry.active && operatorDecision.parse(item).deactivatedAt === undefined };
}

/** Every readable bank, active or not. */
export function createListBanks(dynamo: DynamoDBDocumentClient, table: string) {
  return async () => readableOf(await itemsOf(dynamo, table, 'BANK'), (item) => inForce(bank.parse(item), item));
}

/** Every readable token, active or not. */
export function createListSupportedTokens(dynamo: DynamoDBDocumentClient, table: string) {
  return async () =>
    readableOf(await itemsOf(dynamo, table, 'TOKEN'), (item) => inForce(supportedToken.parse(item), item));
}

/** The token as it is now: a deactivation takes effect at once. */
export function createFindSupportedToken(dynamo: DynamoDBDocumentClient, table: string) {
  return async (tokenId: number): Promise<SupportedToken | undefined> => {
    const Key = { kind: 'TOKEN', id: String(tokenId) };
    const { Item } = await dynamo.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
    return Item && inForce(supportedToken.parse(Item), Item);
  };
}

/** Banks and tokens by id, with the operators' decisions. */
export function createFindParameters(dynamo: DynamoDBDocumentClient, table: string) {
  async function find<Entry extends { readonly active: boolean }>(
    parse: (item: Item) => Entry,
    kind: ParameterKind,
    id: string,
  ) {
    const { Item } = await dynamo.send(new GetCommand({ TableName: table, Key: { kind, id }, ConsistentRead: true }));
    return Item && { ...inForce(parse(Item), Item), ...operatorDecision.parse(Item) };
  }
  return {
    /** Finds a bank by its id, or by the code that clients name, which is unique in the list. */
    async findBank(idOrCode: string) {
      const read = (id: string) => find((item) => bank.parse(item), 'BANK', id);
      const found = await read(idOrCode);
      if (found !== undefined) return found;
      const ofCode = (await createListBanks(dynamo, table)()).find(({ code }) => code === idOrCode);
      return ofCode && (await read(ofCode.id));
    },
    findToken: (id: string) => find((item) => supportedToken.parse(item), 'TOKEN', id),
  };
}

/**
 * True if the bank list now has an active bank with this code. The list has some dozens of banks, so it fits one page.
 */
export function createIsActiveBank(dynamo: DynamoDBDocumentClient, table: string) {
  return async (code: string): Promise<boolean> => {
    const { Count = 0 } = await dynamo.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: '#kind = :bank',
        FilterExpression: '#code = :code AND #active = :yes AND attribute_not_exists(deactivatedAt)',
        ExpressionAttributeNames: { '#kind': 'kind', '#code': 'code', '#active': 'active' },
        ConsistentRead: true,
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

    /** Writes an entry of a file; the operators' decision stays. */
    async put(kind: ParameterKind, id: string, parameter: Readonly<Record<string, unknown>>): Promise<void> {
      const attributes = namesOf[kind].map((name) => [name, parameter[name]] as const);
      const { expression, names, values } = assignments(Object.fromEntries(attributes));
      await dynamo.send(
        new UpdateCommand({
          TableName: table,
          Key: { kind, id },
          UpdateExpression: expression,
          ExpressionAttributeNames: names,
          ExpressionAttributeValues: values,
        }),
      );
    },

    /**
     * Removes an entry that its file no longer has. A deactivated one is kept as inactive, or it would be active if a
     * later deployment brought it back.
     */
    async remove(kind: ParameterKind, id: string): Promise<void> {
      const entry = { TableName: table, Key: { kind, id } };
      const condition = { ConditionExpression: 'attribute_not_exists(deactivatedAt)' };
      const removed = await unlessConditionFails(dynamo.send(new DeleteCommand({ ...entry, ...condition })));
      if (removed !== undefined) return;
      const asGone = {
        UpdateExpression: 'SET #active = :no',
        // Another deployment may have removed it meanwhile: never create an entry without a name.
        ConditionExpression: 'attribute_exists(id)',
        ExpressionAttributeNames: { '#active': 'active' },
        ExpressionAttributeValues: { ':no': false },
      };
      await unlessConditionFails(dynamo.send(new UpdateCommand({ ...entry, ...asGone })));
    },
  };
}

export type Parameters = ReturnType<typeof createParameterStore>;

/** The attributes that a file sets on an entry, without the key of its item. */
const namesOf: Readonly<Record<ParameterKind, readonly string[]>> = {
  BANK: Object.keys(bank.shape).filter((name) => name !== 'id'),
  TOKEN: Object.keys(supportedToken.shape),
};

const sortKey = z.object({ id: z.string() });

function readableOf<Entry>(items: readonly Item[], parse: (item: Item) => Entry): readonly Entry[] {
  return items.flatMap((item) => parseReadable(`${item['kind']} ${item['id']}`, () => parse(item)) ?? []);
}

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
