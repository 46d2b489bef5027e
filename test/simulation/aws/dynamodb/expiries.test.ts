import { PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import type { Item } from './attribute-values.ts';
import { type Change, streamRecord } from './change.ts';
import { engine } from './engine.ts';
import { requestOf } from './request.ts';

const TableName = 'things';
const YEAR = 365 * 24 * 3600;

/** A table whose items are deleted ten seconds after their time; it is the hundredth second of a far year. */
function tableWithExpiry() {
  const start = 20 * YEAR + 100;
  const clock = { seconds: start };
  const lag = { now: () => clock.seconds * 1000, ofIndexes: () => 0, isStale: () => false, ofExpiry: () => 10_000 };
  const changes: Change[] = [];
  const { answer } = engine({ [TableName]: { key: ['id', 'sort'], timeToLive: 'expiresAt' } }, lag, {
    onChanges: (all) => changes.push(...all),
  });
  const id = { S: 'a' };
  return {
    clock,
    changes,
    start,
    put: (Item: Item) => answer(requestOf(new PutItemCommand({ TableName, Item: { id, ...Item } }))),
    found: () => {
      const condition = { KeyConditionExpression: 'id = :id', ExpressionAttributeValues: { ':id': id } };
      const { Items = [] } = answer(requestOf(new QueryCommand({ TableName, ConsistentRead: true, ...condition })));
      return Items.map(({ sort }) => sort?.S);
    },
  };
}

const until = (seconds: number) => ({ expiresAt: { N: String(seconds) } });

test('an item whose time is over is found until it is deleted, and the stream says who deleted it', () => {
  const { clock, changes, start, put, found } = tableWithExpiry();
  put({ sort: { S: '1' }, ...until(start + 5) });
  clock.seconds += 14;
  expect(found()).toEqual(['1']);
  clock.seconds += 1;
  expect(found()).toEqual([]);
  const [, deletion] = changes.map((change) => streamRecord(change, 1, new Date()));
  expect(deletion).toMatchObject({
    eventName: 'REMOVE',
    userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' },
    dynamodb: { Keys: { id: { S: 'a' }, sort: { S: '1' } } },
  });
});

test('what got another time meanwhile, has none, has one that is no number, or one of long ago is not deleted', () => {
  const { clock, start, put, found } = tableWithExpiry();
  put({ sort: { S: '1' }, ...until(start + 5) });
  put({ sort: { S: '1' }, ...until(start + 1000) });
  put({ sort: { S: '2' } });
  put({ sort: { S: '3' }, expiresAt: { S: String(start) } });
  put({ sort: { S: '4' }, ...until(start - 6 * YEAR) });
  clock.seconds += 100;
  expect(found()).toEqual(['1', '2', '3', '4']);
});
