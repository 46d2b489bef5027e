import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { batchGet } from './batch-get.ts';
import type { Item } from './client.ts';
import { type EntrySchema, firstOfShards, type ShardedQuery } from './sharded-entries.ts';

/** Keys of one call. */
const MOST_KEYS = 100;

/**
 * The items of one page of an index over all of its shards, in its order, and the time at which the next page begins. No
 * item is on two pages: what has the time of the next page is left to it.
 */
export async function pageOfShards<At extends string, Entry extends EntrySchema<At>>(
  dynamo: DynamoDBDocumentClient,
  clock: Clock,
  table: string,
  entry: Entry,
  { keyOf, ...query }: ShardedQuery<At> & { readonly keyOf: (entry: z.infer<Entry>) => Item },
): Promise<{ readonly items: readonly Item[]; readonly nextAt?: string }> {
  const { entries, nextAt } = await firstOfShards(dynamo, table, entry, query);
  const own = nextAt === undefined ? entries : entries.filter((one) => one[query.keys[1]] < nextAt);
  if (own.length === 0 && nextAt !== undefined) throw new Error(`More of ${nextAt} than a page has.`);
  const groups = Array.from({ length: Math.ceil(own.length / MOST_KEYS) }, (_, group) =>
    own.slice(group * MOST_KEYS, (group + 1) * MOST_KEYS),
  );
  const found = await Promise.all(groups.map((group) => batchGet(dynamo, clock, table, group.map(keyOf))));
  const items = found.flat().filter((item) => item !== undefined);
  return { items, ...(nextAt !== undefined && { nextAt }) };
}
