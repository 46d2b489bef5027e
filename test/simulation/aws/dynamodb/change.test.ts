import { expect, test } from 'vitest';
import { type Change, streamRecord } from './change.ts';
import { engine } from './engine.ts';

const LAG = { now: () => 0, ofIndexes: () => 0, isStale: () => false };
const Key = { id: { S: 'a' } };

function tableWithFeed() {
  const changes: Change[] = [];
  const items: unknown[] = [];
  const { answer, tables } = engine({ things: { key: ['id'] } }, LAG, {
    onChange: (change) => {
      changes.push(change);
      items.push(tables.get('things')?.items().length);
    },
  });
  const send = (name: string, input: object) => answer({ name, input: { TableName: 'things', ...input } });
  return { answer, send, changes, items };
}

test('whatever a write changes is told, with the item before and after it', () => {
  const { send, changes } = tableWithFeed();
  const [first, second] = [
    { ...Key, n: { N: '1' } },
    { ...Key, n: { N: '2' } },
  ];
  send('PutItemCommand', { Item: first });
  send('UpdateItemCommand', {
    Key,
    UpdateExpression: 'SET n = :n',
    ExpressionAttributeValues: { ':n': { N: '2' } },
  });
  send('DeleteItemCommand', { Key });
  expect(changes).toEqual([
    { table: 'things', key: Key, before: undefined, after: first },
    { table: 'things', key: Key, before: first, after: second },
    { table: 'things', key: Key, before: second, after: undefined },
  ]);
  const records = changes.map((change, number) => streamRecord(change, number, new Date(1999)));
  expect(records.map(({ eventName, dynamodb }) => [eventName, dynamodb.Keys, dynamodb.NewImage])).toEqual([
    ['INSERT', Key, first],
    ['MODIFY', Key, second],
    ['REMOVE', Key, undefined],
  ]);
});

test('a write that changes nothing or is refused is not told', () => {
  const { send, changes } = tableWithFeed();
  send('DeleteItemCommand', { Key });
  send('PutItemCommand', { Item: { ...Key, set: { SS: ['p', 'q'] }, n: { N: '1' } } });
  changes.length = 0;
  send('PutItemCommand', { Item: { set: { SS: ['q', 'p'] }, n: { N: '1.0' }, ...Key } });
  expect(() => send('DeleteItemCommand', { Key, ConditionExpression: 'attribute_not_exists(id)' })).toThrow();
  expect(changes).toEqual([]);
});

test('the changes of a transaction are told once all of it is written', () => {
  const { answer, changes, items } = tableWithFeed();
  const put = (id: string) => ({ Put: { TableName: 'things', Item: { id: { S: id } } } });
  const check = { Key: { id: { S: 'c' } }, ConditionExpression: 'attribute_not_exists(id)' };
  answer({
    name: 'TransactWriteItemsCommand',
    input: { TransactItems: [put('a'), { ConditionCheck: { TableName: 'things', ...check } }, put('b')] },
  });
  expect(changes.map(({ key }) => key['id']?.S)).toEqual(['a', 'b']);
  expect(items).toEqual([2, 2]);
});
