import {
  BatchGetItemCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  paginateQuery,
  type QueryCommandInput,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import { condition, update, withAliases } from './random-expressions.ts';

/** The table that random calls are made on. */
export const RANDOM_TABLE = 'randomCalls';
export const RANDOM_SHAPE = {
  key: ['id', 'sort'],
  indexes: { byGroup: ['group', 'rank'] },
  alsoIn: { byGroup: ['text'] },
} as const;

const TableName = RANDOM_TABLE;
const texts = (...all: readonly string[]) => fc.constantFrom(...all.map((S) => ({ S })));
const constants = (...all: readonly Item[string][]) => fc.constantFrom(...all);

const key: fc.Arbitrary<Item> = fc.record({ id: texts('a', 'b'), sort: texts('1', '2', '3') });
const attributes = fc.record(
  {
    number: constants({ N: '0' }, { N: '1' }, { N: '2.5' }, { N: '-3' }, { N: '100' }),
    text: texts('w', 'x', 'xyz'),
    list: constants({ L: [] }, { L: [{ N: '7' }] }),
    set: constants({ SS: ['p'] }, { SS: ['r', 'q'] }),
    group: texts('x', 'xy'),
    rank: texts('1', '2', '3'),
  },
  { requiredKeys: [], noNullPrototype: true },
);
const item = fc.tuple(key, attributes).map(([one, more]): Item => ({ ...one, ...more }));

const onFailure = fc.constantFrom({}, { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const);
const conditional = fc.tuple(fc.option(condition, { nil: undefined }), onFailure).map(([when, told]) => ({
  ...(when !== undefined && { ConditionExpression: when }),
  ...told,
}));

const put = fc.tuple(item, conditional).map(([Item, when]) => withAliases({ TableName, Item, ...when }));
const remove = fc.tuple(key, conditional).map(([Key, when]) => withAliases({ TableName, Key, ...when }));
const change = fc
  .tuple(key, update, conditional)
  .map(([Key, UpdateExpression, when]) => withAliases({ TableName, Key, UpdateExpression, ...when }));
const check = fc
  .tuple(key, condition, onFailure)
  .map(([Key, ConditionExpression, told]) => withAliases({ TableName, Key, ConditionExpression, ...told }));
const leg = fc.oneof(
  put.map((Put) => ({ Put })),
  change.map((Update) => ({ Update })),
  remove.map((Delete) => ({ Delete })),
  check.map((ConditionCheck) => ({ ConditionCheck })),
);

const query = fc
  .record({
    isOfIndex: fc.boolean(),
    range: fc.constantFrom(undefined, '#s = :s', '#s >= :s', '#s < :s', 'begins_with(#s, :s)', '#s BETWEEN :s AND :s'),
    ScanIndexForward: fc.boolean(),
    from: fc.constantFrom('1', '2', '3'),
  })
  .map(({ isOfIndex, range, ScanIndexForward, from }): QueryCommandInput => {
    const [partition, sort] = isOfIndex ? RANDOM_SHAPE.indexes.byGroup : RANDOM_SHAPE.key;
    const isRanged = range !== undefined;
    return {
      TableName,
      ...(isOfIndex ? { IndexName: 'byGroup' } : { ConsistentRead: true }),
      ScanIndexForward,
      KeyConditionExpression: isRanged ? `#p = :p AND ${range}` : '#p = :p',
      ExpressionAttributeNames: { '#p': partition, ...(isRanged && { '#s': sort }) },
      ExpressionAttributeValues: { ':p': { S: isOfIndex ? 'x' : 'a' }, ...(isRanged && { ':s': { S: from } }) },
    };
  });

const returned = fc.constantFrom('NONE', 'ALL_OLD', 'ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW');
const returnedOld = fc.constantFrom('NONE', 'ALL_OLD');

export const randomCall = fc.oneof(
  fc.record({ does: fc.constant('put'), put, returned: returnedOld }),
  fc.record({ does: fc.constant('update'), change, returned }),
  fc.record({ does: fc.constant('delete'), remove, returned: returnedOld }),
  fc.record({ does: fc.constant('transaction'), legs: fc.array(leg, { minLength: 1, maxLength: 3 }) }),
  fc.record({ does: fc.constant('get'), key }),
  fc.record({ does: fc.constant('batch'), keys: fc.uniqueArray(key, { minLength: 1, selector: JSON.stringify }) }),
  fc.record({ does: fc.constant('query'), query, pageSize: fc.constantFrom(1, 2, 100) }),
);

export type RandomCall = typeof randomCall extends fc.Arbitrary<infer Call> ? Call : never;

/** Makes the call, and answers what there is to compare. */
export async function make(call: RandomCall, client: DynamoDBClient): Promise<unknown> {
  switch (call.does) {
    case 'put':
      return client.send(new PutItemCommand({ ...call.put, ReturnValues: call.returned }));
    case 'update':
      return client.send(new UpdateItemCommand({ ...call.change, ReturnValues: call.returned }));
    case 'delete':
      return client.send(new DeleteItemCommand({ ...call.remove, ReturnValues: call.returned }));
    case 'transaction':
      return client.send(new TransactWriteItemsCommand({ TransactItems: call.legs }));
    case 'get':
      return client.send(new GetItemCommand({ TableName, Key: call.key, ConsistentRead: true }));
    case 'batch':
      return batch(client, call.keys);
    case 'query':
      return all(paginateQuery({ client, pageSize: call.pageSize }, { ...call.query }));
  }
}

/** What is found for many keys is in no order. */
async function batch(client: DynamoDBClient, Keys: Item[]): Promise<readonly Item[]> {
  const { Responses } = await client.send(
    new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys, ConsistentRead: true } } }),
  );
  const place = ({ id, sort }: Item) => `${id?.S} ${sort?.S}`;
  return (Responses?.[TableName] ?? []).toSorted((one, other) => place(one).localeCompare(place(other)));
}

async function all(pages: AsyncIterable<{ Items?: Item[] | undefined }>): Promise<readonly Item[]> {
  const items: Item[] = [];
  for await (const { Items = [] } of pages) items.push(...Items);
  return items;
}
