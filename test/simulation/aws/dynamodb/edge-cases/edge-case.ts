import {
  BatchGetItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  type PutItemCommandInput,
  QueryCommand,
  type QueryCommandInput,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';

type Send = (dynamo: DynamoDBClient) => Promise<unknown>;

/** A request at the edge of DynamoDB's behaviour. */
export interface EdgeCase {
  readonly title: string;
  readonly send: Send;
  /** Items that are written first. */
  readonly items?: readonly Item[];
  /** Result in AWS: `done`, a number of items, the exception's name, or the codes of a cancelled transaction. */
  readonly aws: string;
  /** Result in the local AWS, if it differs. */
  readonly local?: string;
}

/** The table of the edge cases. */
export const EDGE_TABLE = 'edgeCases';
export const EDGE_SHAPE = {
  key: ['id', 'sort'],
  indexes: { byGroup: ['group', 'rank'] },
  alsoIn: { byGroup: ['text'] },
} as const;

const TableName = EDGE_TABLE;
export const INVALID = 'ValidationException';
export const KB = 1024;

export function key(id: string, sort = '1'): Item {
  return { id: { S: id }, sort: { S: sort } };
}

/** Returns an item with this size in bytes. */
export function sized(bytes: number, id = 'a'): Item {
  return { ...key(id), text: { S: 'x'.repeat(bytes - 'idasort1text'.length) } };
}

export function many<T>(count: number, make: (number: number) => T): T[] {
  return Array.from({ length: count }, (_, number) => make(number));
}

export function put(Item: Item, more: Partial<PutItemCommandInput> = {}): Send {
  return (dynamo) => dynamo.send(new PutItemCommand({ TableName, Item, ...more }));
}

/** Returns a write with this condition. */
export function when(ConditionExpression: string, values?: Item, id = 'a'): Send {
  return put(key(id), { ConditionExpression, ...(values && { ExpressionAttributeValues: values }) });
}

export function update(
  UpdateExpression: string,
  ExpressionAttributeValues: Item,
  more: Partial<UpdateItemCommandInput> = {},
): Send {
  const input = { TableName, Key: key('a'), UpdateExpression, ExpressionAttributeValues, ...more };
  return (dynamo) => dynamo.send(new UpdateItemCommand(input));
}

export function transaction(...TransactItems: TransactWriteItem[]): Send {
  return (dynamo) => dynamo.send(new TransactWriteItemsCommand({ TransactItems }));
}

export function putLeg(Item: Item): TransactWriteItem {
  return { Put: { TableName, Item } };
}

export function updateLeg(
  UpdateExpression: string,
  ExpressionAttributeValues: Item,
  more: Partial<UpdateItemCommandInput> = {},
): TransactWriteItem {
  const { ExpressionAttributeNames } = more;
  const names = ExpressionAttributeNames && { ExpressionAttributeNames };
  return { Update: { TableName, Key: key('a'), UpdateExpression, ExpressionAttributeValues, ...names } };
}

export function get(Key: Item): Send {
  return (dynamo) => dynamo.send(new GetItemCommand({ TableName, Key }));
}

export function batch(Keys: Item[]): Send {
  return (dynamo) => dynamo.send(new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys } } }));
}

export function query(
  KeyConditionExpression: string,
  ExpressionAttributeValues: Item,
  more: Partial<QueryCommandInput> = {},
): Send {
  const input = { TableName, KeyConditionExpression, ExpressionAttributeValues, ...more };
  return (dynamo) => dynamo.send(new QueryCommand(input));
}

export function queryOfA(more: Partial<QueryCommandInput>): Send {
  return query('id = :id', { ':id': { S: 'a' } }, more);
}

export function queryOfIndex(more: Partial<QueryCommandInput>): Send {
  const names = { ExpressionAttributeNames: { '#group': 'group' } };
  return query('#group = :group', { ':group': { S: 'x' } }, { IndexName: 'byGroup', ...names, ...more });
}

export const RANK = { ExpressionAttributeNames: { '#rank': 'rank' } };
export const x = { ':x': { S: 'x' } };
