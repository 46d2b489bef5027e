import type { Item } from './attribute-values.ts';
import { invalid } from './exceptions.ts';
import type { Expiries } from './expiries.ts';
import { isLongerThan } from './item-size.ts';
import type { Lag } from './lag.ts';
import { createSecondaryIndex } from './secondary-index.ts';
import { insert, remove } from './sorted.ts';
import type { Entry, Source } from './source.ts';
import { Unsupported } from './unsupported.ts';

/** Keys are strings. An index holds items that have both of its keys: all keys, and the attributes in `alsoIn`. */
export interface TableShape {
  readonly key: readonly [partition: string, sort?: string];
  readonly indexes?: Readonly<Record<string, readonly [partition: string, sort: string]>>;
  readonly alsoIn?: Readonly<Record<string, readonly string[]>>;
  /** The attribute with the time to live, in seconds since 1970. */
  readonly timeToLive?: string;
}

interface Row extends Entry {
  item: Item | undefined;
  /** The previous item, which a read that is not consistent may still find. */
  before: Item | undefined;
  writtenAt: number;
}

/** Milliseconds for which a read that is not consistent may miss a write. */
const STALE_FOR = 3000;

/** The longest keys, in bytes. */
const LONGEST_PARTITION_KEY = 2048;
const LONGEST_SORT_KEY = 1024;

/** Separates the parts of a key, which never contain it. */
const SEPARATOR = '\0';

export interface Table {
  readonly name: string;
  readonly shape: TableShape;
  readonly keyNames: readonly string[];
  /** @throws ValidationException if the attributes lack a part of the key */
  keyOf(attributes: Item): string;
  /** @throws ValidationException if there are other attributes than the key */
  wholeKey(key: Item): string;
  /**
   * Returns why an index cannot hold the item; `undefined` if all can.
   *
   * @throws ValidationException when a key of an index is empty
   */
  misfitOfIndexes(item: Item): string | undefined;
  read(key: string, isConsistent: boolean): Item | undefined;
  write(key: string, item: Item | undefined): void;
  items(): readonly Item[];
  /** A transaction holds the item: until `release`, readers find this item, and other writes are refused. */
  hold(key: string, found: Item | undefined): void;
  release(key: string): void;
  isHeld(key: string): boolean;
  /** Returns an index, or the table itself if none is named. */
  source(index: string | undefined): Source;
  /** Returns all entries that an index has now. */
  indexed(index: string): readonly Item[];
}

export function createTable(name: string, shape: TableShape, lag: Lag, expiries: Expiries): Table {
  const [partitionName, sortName] = shape.key;
  const keyNames = sortName === undefined ? [partitionName] : [partitionName, sortName];
  const rows = new Map<string, Row>();
  const partitions = new Map<string, Row[]>();
  const indexes = new Map(
    Object.entries(shape.indexes ?? {}).map(([index, keys]) => [
      index,
      createSecondaryIndex(keys, keyNames, shape.alsoIn?.[index] ?? [], lag),
    ]),
  );
  const indexKeys = Object.values(shape.indexes ?? {});
  const held = new Map<string, Item | undefined>();

  /** True if every reader sees the row's deletion. */
  const isGone = (row: Row) => row.item === undefined && lag.now() - row.writtenAt >= STALE_FOR && !held.has(row.key);

  function readRow(row: Row, isConsistent: boolean): Item | undefined {
    if (held.size > 0 && held.has(row.key)) return held.get(row.key);
    const mayBeStale = !isConsistent && lag.now() - row.writtenAt < STALE_FOR;
    return mayBeStale && lag.isStale() ? row.before : row.item;
  }

  function rowsOf(partition: string): Row[] {
    const all = partitions.get(partition) ?? [];
    if (!all.some(isGone)) return all;
    for (const row of all.filter(isGone)) {
      rows.delete(row.key);
      remove(all, row);
    }
    return all;
  }

  function newRow(key: string, item: Item): Row {
    const sort = sortName === undefined ? '' : (item[sortName]?.S ?? '');
    const row: Row = { key, sort, item: undefined, before: undefined, writtenAt: 0 };
    rows.set(key, row);
    const partition = item[partitionName]?.S ?? '';
    const others = partitions.get(partition);
    if (others === undefined) partitions.set(partition, [row]);
    else insert(others, row);
    return row;
  }

  const source: Source = {
    partitionName,
    sortName,
    keys: keyNames,
    partition: rowsOf,
    read: (entry, isConsistent) => {
      const row = rows.get(entry.key);
      return row && readRow(row, isConsistent);
    },
  };

  const indexNamed = (index: string) => {
    const found = indexes.get(index);
    if (found === undefined) throw invalid(`The table does not have the specified index: ${index}`);
    return found;
  };

  function keyOf(attributes: Item): string {
    const partition = keyIn(attributes, partitionName, LONGEST_PARTITION_KEY);
    if (sortName === undefined) return partition;
    return `${partition}${SEPARATOR}${keyIn(attributes, sortName, LONGEST_SORT_KEY)}`;
  }

  return {
    name,
    shape,
    keyNames,
    keyOf,

    wholeKey(key) {
      const isWhole = Object.keys(key).length === keyNames.length;
      if (!isWhole) throw invalid('The provided key element does not match the schema');
      return keyOf(key);
    },

    misfitOfIndexes(item) {
      for (const [partition, sort] of indexKeys) {
        const misfit = misfitOf(item, partition, LONGEST_PARTITION_KEY) ?? misfitOf(item, sort, LONGEST_SORT_KEY);
        if (misfit !== undefined) return misfit;
      }
      return undefined;
    },

    read(key, isConsistent) {
      const row = rows.get(key);
      return row && readRow(row, isConsistent);
    },

    write(key, item) {
      const row = rows.get(key) ?? (item && newRow(key, item));
      if (row === undefined) return;
      row.before = row.item;
      row.item = item;
      row.writtenAt = lag.now();
      for (const index of indexes.values()) index.follow(key, item);
      if (shape.timeToLive !== undefined) expiries.watch({ table: name, key }, item?.[shape.timeToLive]);
    },

    items: () => [...rows.values()].map(({ item }) => item).filter((item) => item !== undefined),
    hold: (key, found) => void held.set(key, found),
    release: (key) => void held.delete(key),
    isHeld: (key) => held.size > 0 && held.has(key),
    source: (index) => (index === undefined ? source : indexNamed(index).source),
    indexed: (index) => indexNamed(index).items(),
  };
}

function keyIn(attributes: Item, name: string, longest: number): string {
  const text = attributes[name]?.S;
  const misfit = misfitOf(attributes, name, longest);
  if (text === undefined || misfit !== undefined) throw invalid(misfit ?? `The key ${name} is not there`);
  if (text.includes(SEPARATOR)) throw new Unsupported('a NUL in a key');
  return text;
}

function misfitOf(attributes: Item, name: string, longest: number): string | undefined {
  const value = attributes[name];
  if (value === undefined) return undefined;
  if (value.S === undefined) return `Type mismatch for key ${name}`;
  if (value.S === '') throw invalid(`The key ${name} cannot contain an empty string value`);
  return isLongerThan(longest, value.S) ? `The key ${name} has more than ${longest} bytes` : undefined;
}
