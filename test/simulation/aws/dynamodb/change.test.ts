import {
  DeleteItemCommand,
  type DeleteItemCommandInput,
  PutItemCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import type { Item } from './attribute-values.ts';
import { type Change, streamRecord } from './change.ts';
import { engine } from './engine.ts';
import { requestOf } from './request.ts';

const LAG = { now: () => 0, ofIndexes: () => 0, isStale: () => false };
const Key = { id: { S: 'a' } };

const TableName = 'things';

function tableWithFeed() {
  const told: (readonly Change[])[] = [];
  const counts: unknown[] = [];
  const { answer, tables } = engine({ [TableName]: { key: ['id'] } }, LAG, {
    onChanges: (changes) => {
      told.push(changes);
      counts.push(tables.get(TableName)?.items().length);
    },
  });
  return {
    send: (command: object) => answer(requestOf(command)),
    put: (Item: Item) => answer(requestOf(new PutItemCommand({ TableName, Item }))),
    remove: (input?: Partial<DeleteItemCommandInput>) =>
      answer(requestOf(new DeleteItemCommand({ TableName, Key, ...input }))),
    told,
    counts,
  };
}

test('whatever a write changes is told, with the item before and after it', () => {
  const { send, put, remove, told } = tableWithFeed();
  const [first, second] = [
    { ...Key, n: { N: '1' } },
    { ...Key, n: { N: '2' } },
  ];
  put(first);
  const UpdateExpression = 'SET n = :n';
  send(new UpdateItemCommand({ TableName, Key, UpdateExpression, ExpressionAttributeValues: { ':n': { N: '2' } } }));
  remove();
  expect(told).toEqual([
    [{ table: TableName, key: Key, before: undefined, after: first }],
    [{ table: TableName, key: Key, before: first, after: second }],
    [{ table: TableName, key: Key, before: second, after: undefined }],
  ]);
  const records = told.flat().map((change, number) => streamRecord(change, number, new Date(1999)));
  expect(records.map(({ eventName, dynamodb }) => [eventName, dynamodb.Keys, dynamodb.NewImage])).toEqual([
    ['INSERT', Key, first],
    ['MODIFY', Key, second],
    ['REMOVE', Key, undefined],
  ]);
});

test('a write that changes nothing or is refused is not told', () => {
  const { put, remove, told } = tableWithFeed();
  remove();
  put({ ...Key, set: { SS: ['p', 'q'] }, n: { N: '1' } });
  told.length = 0;
  put({ set: { SS: ['q', 'p'] }, n: { N: '1.0' }, ...Key });
  expect(() => remove({ ConditionExpression: 'attribute_not_exists(id)' })).toThrow();
  expect(told).toEqual([]);
});

test('the changes of a transaction are told together, once all of it is written', () => {
  const { send, told, counts } = tableWithFeed();
  const put = (id: string) => ({ Put: { TableName, Item: { id: { S: id } } } });
  const check = { TableName, Key: { id: { S: 'c' } }, ConditionExpression: 'attribute_not_exists(id)' };
  send(new TransactWriteItemsCommand({ TransactItems: [put('a'), { ConditionCheck: check }, put('b')] }));
  expect(told.map((changes) => changes.map(({ key }) => key['id']?.S))).toEqual([['a', 'b']]);
  expect(counts).toEqual([2]);
});
