import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { batchGetReadable } from './batch-get.ts';
import type { Item } from './client.ts';
import { indexEntries } from './index-entries.ts';

/** Of an entry that has the sort key of its index. */
export type EntrySchema<At extends string> = z.ZodMiniType<Readonly<Record<At, string>>>;

export interface ShardedQuery<At extends string> {
  readonly index: string;
  /** Names of the index's keys: its entries are sorted by the second one. */
  readonly keys: readonly [shard: string, at: At];
  readonly shards: readonly string[];
  /** Times between which they are, with both. */
  readonly since: string;
  readonly upTo: string;
  readonly most: number;
}

/** The first entries of an index over all of its shards, in its order, and the time of the one after them. */
export async function firstOfShards<At extends string, Schema extends EntrySchema<At>>(
  dynamo: DynamoDBDocumentClient,
  table: string,
  entry: Schema,
  { index, keys: [shard, at], shards, since, upTo, most }: ShardedQuery<At>,
): Promise<{ readonly entries: readonly z.infer<Schema>[]; readonly nextAt?: string }> {
  // DynamoDB refuses a range that ends before it begins: nothing is in it.
  if (since > upTo) return { entries: [] };
  const ofShard = async (name: string) => {
    const found: z.infer<Schema>[] = [];
    const entries = indexEntries(dynamo, table, entry, {
      index,
      condition: `${shard} = :shard AND ${at} BETWEEN :since AND :upTo`,
      values: { ':shard': name, ':since': since, ':upTo': upTo },
      pageSize: most + 1,
    });
    for await (const one of entries) if (found.push(one) > most) break;
    return found;
  };
  const found = (await Promise.all(shards.map(ofShard)))
    .flat()
    .toSorted((one, other) => one[at].localeCompare(other[at]));
  const next = found[most];
  return { entries: found.slice(0, most), ...(next !== undefined && { nextAt: next[at] }) };
}

/** The items of such entries as they are now, without those that are gone; of those that cannot be read, their keys. */
export async function firstItemsOfShards<At extends string, Entry extends EntrySchema<At>, Kept extends z.ZodMiniType>(
  dynamo: DynamoDBDocumentClient,
  clock: Clock,
  table: string,
  {
    entry,
    item,
    keyOf,
    ...query
  }: { entry: Entry; item: Kept; keyOf: (entry: z.infer<Entry>) => Item } & Omit<ShardedQuery<At>, 'upTo'> & {
      readonly upTo?: string;
    },
): Promise<{
  readonly items: readonly z.infer<Kept>[];
  readonly unreadable: readonly Item[];
  readonly nextAt?: string;
}> {
  const { entries, ...next } = await firstOfShards(dynamo, table, entry, {
    ...query,
    upTo: query.upTo ?? clock.now().toISOString(),
  });
  return { ...(await batchGetReadable(dynamo, clock, table, entries.map(keyOf), item)), ...next };
}
