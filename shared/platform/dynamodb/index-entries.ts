import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { batchGetReadable, type ReadItems } from './batch-get.ts';
import type { Item } from './client.ts';

interface IndexQuery {
  readonly index: string;
  readonly condition: string;
  readonly values: Readonly<Record<string, string>>;
  /** Filters the entries after they are read. */
  readonly filter?: string;
  /** Aliases of attributes whose names DynamoDB reserves. */
  readonly names?: Readonly<Record<string, string>>;
  readonly newestFirst?: boolean;
  /** Key of the entry after which the list starts. */
  readonly after?: Item | undefined;
  /** Entries read at a time, for a caller that stops early. */
  readonly pageSize?: number;
}

/**
 * The entries of an index of keys, in its order, read page by page on demand. The index may lag behind: read an item
 * again by its key before you decide on it.
 */
export async function* queryIndex<Schema extends z.ZodMiniType>(
  dynamo: DynamoDBDocumentClient,
  table: string,
  entry: Schema,
  { index, condition, filter, values, names, newestFirst = false, after, pageSize }: IndexQuery,
): AsyncGenerator<z.infer<Schema>> {
  const pages = paginateQuery(
    { client: dynamo, ...(pageSize !== undefined && { pageSize }) },
    {
      TableName: table,
      IndexName: index,
      KeyConditionExpression: condition,
      ExpressionAttributeValues: values,
      ...(filter !== undefined && { FilterExpression: filter }),
      ...(names !== undefined && { ExpressionAttributeNames: { ...names } }),
      ScanIndexForward: !newestFirst,
      ...(after !== undefined && { ExclusiveStartKey: after }),
    },
  );
  for await (const { Items = [] } of pages) for (const item of Items) yield entry.parse(item);
}

/** The first entries of an index of keys, in its order. Without a filter, no more entries are read. */
export async function readFirstEntries<Schema extends z.ZodMiniType>(
  dynamo: DynamoDBDocumentClient,
  table: string,
  entry: Schema,
  { most, ...query }: Omit<IndexQuery, 'pageSize'> & { readonly most: number },
): Promise<readonly z.infer<Schema>[]> {
  const found: z.infer<Schema>[] = [];
  for await (const one of queryIndex(dynamo, table, entry, {
    ...query,
    ...(query.filter === undefined && { pageSize: most }),
  })) {
    if (found.push(one) === most) break;
  }
  return found;
}

/** Shards of one index: a single partition could not take all the due items of a busy service. */
const SHARDS = 10;

/** Partition keys of a `due` index. */
export function shards(kind: string): readonly string[] {
  return Array.from({ length: SHARDS }, (_, shard) => `${kind}#${shard}`);
}

/** The shard of an id, always the same. Any text can be an id. */
export function shardOf(kind: string, id: string): string {
  const sum = Array.from(id.slice(-4)).reduce((total, character) => total + character.charCodeAt(0), 0);
  return `${kind}#${sum % SHARDS}`;
}

/** Schema of an entry that has the sort key of its index. */
export type EntrySchema<At extends string> = z.ZodMiniType<Readonly<Record<At, string>>>;

export interface ShardedQuery<At extends string> {
  readonly index: string;
  /** Names of the index's keys: its entries are sorted by the second one. */
  readonly keys: readonly [shard: string, at: At];
  readonly shards: readonly string[];
  /** The range of times, both ends included. */
  readonly since: string;
  readonly upTo: string;
  readonly most: number;
}

/**
 * The first entries of an index over all of its shards, in its order, and the time of the entry after them. That time
 * is always later than the first entry's, so that a caller who continues there makes progress. If more than `most`
 * entries share one millisecond, more than `most` are returned.
 */
export async function readFirstEntriesOfShards<At extends string, Schema extends EntrySchema<At>>(
  dynamo: DynamoDBDocumentClient,
  table: string,
  entry: Schema,
  { index, keys: [shard, at], shards, since, upTo, most }: ShardedQuery<At>,
): Promise<{ readonly items: readonly z.infer<Schema>[]; readonly nextAt?: string }> {
  // DynamoDB rejects a range that ends before it starts; such a range is empty.
  if (since > upTo) return { items: [] };
  const ofShard = async (name: string) => {
    const found: z.infer<Schema>[] = [];
    const entries = queryIndex(dynamo, table, entry, {
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
  const [[first], next] = [found, found[most]];
  if (next !== undefined && first?.[at] === next[at]) {
    const query = { index, keys: [shard, at] as const, shards, since, upTo, most: 2 * most };
    return await readFirstEntriesOfShards(dynamo, table, entry, query);
  }
  return { items: found.slice(0, most), ...(next !== undefined && { nextAt: next[at] }) };
}

/**
 * Like `readFirstEntriesOfShards`, but returns the current items of the entries, without missing ones, and the keys of
 * unreadable items.
 */
export async function readFirstItemsOfShards<
  At extends string,
  Entry extends EntrySchema<At>,
  Kept extends z.ZodMiniType,
>(
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
  const { items: entries, ...next } = await readFirstEntriesOfShards(dynamo, table, entry, {
    ...query,
    upTo: query.upTo ?? clock.now().toISOString(),
  });
  // An item that has just moved from one shard to another may be in both, but a key may be requested only once.
  const keys = new Map(entries.map(keyOf).map((key) => [JSON.stringify(key), key]));
  return { ...(await batchGetReadable(dynamo, clock, table, [...keys.values()], item)), ...next };
}

/**
 * One page of an index over all of its shards: the items in its order, the keys of unreadable items, and the time at
 * which the next page starts. No item is on two pages: items of the next page's start time are left to that page. So
 * all items of one millisecond are on one page, which may then have more than `most`.
 */
export async function readPageOfShards<At extends string, Entry extends EntrySchema<At>, Kept>(
  dynamo: DynamoDBDocumentClient,
  clock: Clock,
  table: string,
  {
    entry,
    item,
    keyOf,
    ...query
  }: ShardedQuery<At> & {
    readonly entry: Entry;
    readonly item: { parse(item: unknown): Kept };
    readonly keyOf: (entry: z.infer<Entry>) => Item;
  },
): Promise<ReadItems<Kept> & { readonly nextAt?: string }> {
  const { items: entries, nextAt } = await readFirstEntriesOfShards(dynamo, table, entry, query);
  const own = nextAt === undefined ? entries : entries.filter((one) => one[query.keys[1]] < nextAt);
  const { items, unreadable } = await batchGetReadable(dynamo, clock, table, own.map(keyOf), item);
  return { items, unreadable, ...(nextAt !== undefined && { nextAt }) };
}
