import { BatchGetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '#shared/platform/clock.ts';
import { retryUnfinished, Unavailable } from '#shared/platform/retry.ts';
import { isUnreadable } from '#shared/platform/unreadable.ts';
import type { Item } from './client.ts';

const MOST_CALLS = 5;

/** The most keys of one call. */
const MOST_KEYS = 100;

/** Milliseconds, the shortest pause before the second call; twice as long before each further one. */
const PAUSE = 50;

/**
 * The current items with these keys, in the order of the keys; `undefined` for a missing one. DynamoDB takes a hundred
 * keys per call, and leaves keys out when the answer gets too large or it is busy; these are requested again.
 *
 * @throws {Unavailable} when it keeps leaving keys out
 */
export async function batchGet(
  dynamo: DynamoDBDocumentClient,
  clock: Clock,
  table: string,
  keys: readonly Item[],
): Promise<readonly (Item | undefined)[]> {
  const names = Object.keys(keys[0] ?? {});
  const identity = (item: Item) => JSON.stringify(names.map((name) => item[name]));
  const found = new Map<string, Item>();
  const get = async (missing: readonly Item[]) => {
    const { Responses = {}, UnprocessedKeys = {} } = await dynamo.send(
      new BatchGetCommand({ RequestItems: { [table]: { Keys: [...missing], ConsistentRead: true } } }),
    );
    for (const item of Responses[table] ?? []) found.set(identity(item), item);
    return UnprocessedKeys[table]?.Keys ?? [];
  };
  const getAll = (group: readonly Item[]) =>
    retryUnfinished(group, get, {
      clock,
      pause: (failed) => PAUSE * 2 ** failed * (0.5 + clock.random() / 2),
      tries: MOST_CALLS,
    });
  const groups = Array.from({ length: Math.ceil(keys.length / MOST_KEYS) }, (_, group) =>
    keys.slice(group * MOST_KEYS, (group + 1) * MOST_KEYS),
  );
  const left = (await Promise.all(groups.map(getAll))).flat();
  if (left.length > 0) throw new Unavailable('DynamoDB keeps leaving items out of its answers.');
  return keys.map((key) => found.get(identity(key)));
}

export interface ReadItems<Kept> {
  readonly items: readonly Kept[];
  /** Keys of the unreadable items. */
  readonly unreadable: readonly Item[];
}

/** Like `batchGet`, but parses the items and leaves out missing ones. An item that cannot be parsed hides no other. */
export async function batchGetReadable<Kept>(
  dynamo: DynamoDBDocumentClient,
  clock: Clock,
  table: string,
  keys: readonly Item[],
  schema: { parse(item: unknown): Kept },
): Promise<ReadItems<Kept>> {
  const found = await batchGet(dynamo, clock, table, keys);
  const items: Kept[] = [];
  const unreadable: Item[] = [];
  for (const [position, key] of keys.entries()) {
    if (found[position] === undefined) continue;
    try {
      items.push(schema.parse(found[position]));
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      unreadable.push(key);
    }
  }
  return { items, unreadable };
}
