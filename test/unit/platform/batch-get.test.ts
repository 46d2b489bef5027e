import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { batchGet } from '#shared/platform/dynamodb/batch-get.ts';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import { Unavailable } from '#shared/platform/retry.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { fakeDynamo } from '#test/support/fake-dynamo.ts';

type Keys = readonly Item[];

const request = z.object({ RequestItems: z.object({ operations: z.object({ Keys: z.array(z.unknown()) }) }) });
const keys = (...ids: readonly string[]): Keys => ids.map((id) => ({ operationId: id, record: 'OPERATION' }));
const item = (key: Item) => ({ ...key, amount: '1' });

/** A table with these items, whose answers leave the given keys unprocessed, one list for each answer. */
function tableOf(stored: Keys, ...unprocessed: readonly Keys[]) {
  const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  let answers = 0;
  const { client, sent } = fakeDynamo(async (input) => {
    const asked = request.parse(input).RequestItems.operations.Keys;
    const out = unprocessed[answers] ?? [];
    answers += 1;
    const found = stored.filter((key) => asked.some((one) => same(one, key)) && !out.some((one) => same(one, key)));
    return {
      // DynamoDB answers in no order.
      Responses: { operations: found.map(item).toReversed() },
      UnprocessedKeys: out.length > 0 ? { operations: { Keys: out, ConsistentRead: true } } : {},
    };
  });
  const clock = fakeClock('2026-11-21T12:00:00.000Z');
  return { sent, clock, find: (wanted: Keys) => batchGet(client, clock, 'operations', wanted) };
}

describe('items with keys', () => {
  test('are read at once, as they are now, and come in the order of the keys', async () => {
    const { find, sent } = tableOf(keys('a', 'b', 'c'));
    expect(await find(keys('c', 'x', 'a'))).toEqual([...keys('c').map(item), undefined, ...keys('a').map(item)]);
    expect(sent).toEqual([{ RequestItems: { operations: { Keys: keys('c', 'x', 'a'), ConsistentRead: true } } }]);
  });

  test('are not asked for without keys', async () => {
    const { find, sent } = tableOf(keys('a'));
    expect([await find([]), sent]).toEqual([[], []]);
  });

  test('that the table leaves out are asked for again, and only those, after growing pauses', async () => {
    const { find, sent, clock } = tableOf(keys('a', 'b', 'c'), keys('b', 'c'), keys('c'));
    expect(await find(keys('a', 'b', 'c'))).toEqual(keys('a', 'b', 'c').map(item));
    expect(sent.map((input) => request.parse(input).RequestItems.operations.Keys)).toEqual([
      keys('a', 'b', 'c'),
      keys('b', 'c'),
      keys('c'),
    ]);
    expect(clock.pauses).toEqual([75, 150]);
  });

  test('that the table keeps leaving out are an error that may be tried again later', async () => {
    const { find, sent } = tableOf(keys('a'), ...Array.from({ length: 9 }, () => keys('a')));
    await expect(find(keys('a'))).rejects.toThrow(Unavailable);
    expect(sent).toHaveLength(5);
  });
});
