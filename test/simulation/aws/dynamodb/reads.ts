import type { BatchGetItemCommandInput, GetItemCommandInput, KeysAndAttributes } from '@aws-sdk/client-dynamodb';
import type { Item } from './attribute-values.ts';
import { invalid } from './exceptions.ts';
import { createAllowance, LARGEST_BATCH } from './item-size.ts';
import type { Table } from './table.ts';

const MOST_KEYS_OF_A_BATCH = 100;

export function getItem(table: Table, { Key = {}, ConsistentRead }: GetItemCommandInput): { Item?: Item } {
  const item = table.read(table.wholeKey(Key), ConsistentRead === true);
  return item === undefined ? {} : { Item: item };
}

interface Batch {
  readonly Responses: Record<string, Item[]>;
  readonly UnprocessedKeys: Record<string, KeysAndAttributes>;
}

/** Returns the items in the order of their keys; keys beyond the size of one answer stay unprocessed. */
export function batchGetItem(
  tableNamed: (name: string) => Table,
  { RequestItems = {} }: BatchGetItemCommandInput,
): Batch {
  const requested = Object.entries(RequestItems);
  const counts = requested.map(([, { Keys = [] }]) => Keys.length);
  const count = counts.reduce((total, one) => total + one, 0);
  if (count === 0 || counts.includes(0)) throw invalid('no keys');
  if (count > MOST_KEYS_OF_A_BATCH) throw invalid('Too many items requested for the BatchGetItem call');
  const batch: Batch = { Responses: {}, UnprocessedKeys: {} };
  const { takes } = createAllowance(LARGEST_BATCH);
  for (const [name, one] of requested) {
    const [found, left]: [Item[], Item[]] = [[], []];
    for (const { key, item } of readAll(tableNamed(name), one)) {
      if (!takes(item)) left.push(key);
      else found.push(item);
    }
    batch.Responses[name] = found;
    if (left.length > 0) batch.UnprocessedKeys[name] = { ...one, Keys: left };
  }
  return batch;
}

/** Returns the keys that have an item, with the item. */
function readAll(table: Table, { Keys = [], ConsistentRead = false }: KeysAndAttributes) {
  const keys = new Map(Keys.map((key) => [table.wholeKey(key), key]));
  if (keys.size < Keys.length) throw invalid('Provided list of item keys contains duplicates');
  return [...keys].flatMap(([place, key]) => {
    const item = table.read(place, ConsistentRead);
    return item === undefined ? [] : [{ key, item }];
  });
}
