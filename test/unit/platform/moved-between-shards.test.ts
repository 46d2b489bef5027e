import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { readFirstItemsOfShards } from '#shared/platform/dynamodb/index-entries.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { fakeDynamo } from '#test/support/fake-dynamo.ts';

const batch = z.object({ RequestItems: z.object({ table: z.object({ Keys: z.array(z.unknown()) }) }) });

test('a list over several shards asks once for an item that has just moved, and is in two of them', async () => {
  const { client, sent } = fakeDynamo(async (input) =>
    batch.safeParse(input).success
      ? { Responses: { table: [{ id: 'moved' }] } }
      : { Items: [{ id: 'moved', at: '2026-01-01' }] },
  );
  const found = await readFirstItemsOfShards(client, fakeClock('2026-01-02T00:00:00Z'), 'table', {
    ...{ index: 'waiting', keys: ['shard', 'at'], shards: ['ONE', 'OTHER'], since: '', upTo: '3', most: 10 },
    entry: z.object({ id: z.string(), at: z.string() }),
    keyOf: ({ id }) => ({ id }),
    item: z.object({ id: z.string() }),
  });
  const asked = sent.flatMap((input) => batch.safeParse(input).data?.RequestItems.table.Keys ?? []);
  expect([found.items, asked]).toEqual([[{ id: 'moved' }], [{ id: 'moved' }]]);
});
