import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import { compare } from './attribute-values.ts';
import { invalid } from './exceptions.ts';

/** Keys are texts; indexes hold keys, and what is named besides, of items that have both of the index's attributes. */
export interface TableShape {
  readonly key: readonly [partition: string, sort?: string];
  readonly indexes?: Readonly<Record<string, readonly [partition: string, sort: string]>>;
  readonly alsoIn?: Readonly<Record<string, readonly string[]>>;
}

interface Row {
  item: Item | undefined;
  /** As a read that is not consistent may still find it. */
  before: Item | undefined;
  writtenAt: number;
  /** As the indexes have it. */
  indexed: Item | undefined;
  /** What the indexes will have, oldest first. */
  coming: readonly { readonly at: number; readonly item: Item | undefined }[];
}

/** Milliseconds, and how late a write may be seen where reads are not consistent. */
export interface Lag {
  now(): number;
  /** Of the next write, until all indexes have it. */
  ofIndexes(): number;
  /** Whether a read finds the item as it was before a write of less than a second ago. */
  isStale(): boolean;
}

const STALE_FOR = 1000;

export interface Table {
  readonly shape: TableShape;
  readonly keyNames: readonly string[];
  /** @throws ValidationException when the attributes are not a whole key. */
  keyOf(attributes: Item): string;
  read(key: string, isConsistent: boolean): Item | undefined;
  write(key: string, item: Item | undefined): void;
  items(): readonly Item[];
  /** What an index has now, or the table itself when none is named, of what fits. */
  entries(index: string | undefined, fits?: (item: Item) => boolean): Entries;
}

interface Entries {
  /** Attributes that say where an entry stands. */
  readonly keys: readonly string[];
  /** In order; of an index what it holds. */
  readonly items: readonly Item[];
  order(one: Item, other: Item): number;
}

export function createTable(shape: TableShape, lag: Lag): Table {
  const rows = new Map<string, Row>();
  const keyNames = shape.key.filter((name) => name !== undefined);
  const indexed = new Set(Object.values(shape.indexes ?? {}).flat());

  function textIn(item: Item, name: string): string {
    const text = item[name]?.S;
    if (text === undefined || text === '') throw invalid(`${name} has to be a text that is not empty`);
    return text;
  }

  /** What the indexes have by now. */
  function caughtUp(row: Row): Item | undefined {
    if (row.coming.length === 0) return row.indexed;
    const arrived = row.coming.filter(({ at }) => at <= lag.now());
    const last = arrived.at(-1);
    if (last !== undefined) {
      row.indexed = last.item;
      row.coming = row.coming.slice(arrived.length);
    }
    return row.indexed;
  }

  function itemsIn(index: string | undefined): readonly Item[] {
    const found = [...rows.values()].map((row) => (index === undefined ? row.item : caughtUp(row)));
    return found.filter((item) => item !== undefined);
  }

  return {
    shape,
    keyNames,
    keyOf: (attributes) => keyNames.map((name) => textIn(attributes, name)).join('\n'),

    read(key, isConsistent) {
      const row = rows.get(key);
      const mayBeStale = row !== undefined && !isConsistent && lag.now() - row.writtenAt < STALE_FOR;
      return mayBeStale && lag.isStale() ? row.before : row?.item;
    },

    write(key, item) {
      for (const name of indexed) if (item?.[name] !== undefined) textIn(item, name);
      const row = rows.get(key) ?? { item: undefined, before: undefined, writtenAt: 0, indexed: undefined, coming: [] };
      const at = Math.max(lag.now() + (indexed.size > 0 ? lag.ofIndexes() : 0), row.coming.at(-1)?.at ?? 0);
      const coming = [...row.coming, { at, item }];
      rows.set(key, { ...row, item, before: row.item, writtenAt: lag.now(), coming });
    },

    items: () => [...rows.values()].map(({ item }) => item).filter((item) => item !== undefined),

    entries(index, fits = () => true) {
      const indexKeys = index === undefined ? [] : shape.indexes?.[index];
      if (indexKeys === undefined) throw invalid(`there is no index ${index}`);
      const sort = index === undefined ? shape.key[1] : indexKeys[1];
      const order = (one: Item, other: Item) =>
        inOrder(one[sort ?? ''], other[sort ?? '']) || this.keyOf(one).localeCompare(this.keyOf(other));
      const keys = [...new Set([...indexKeys, ...keyNames])];
      const held = [...keys, ...(shape.alsoIn?.[index ?? ''] ?? [])];
      const items = itemsIn(index)
        .filter((item) => indexKeys.every((name) => name in item) && fits(item))
        .toSorted(order)
        .map((item) => (index === undefined ? item : only(item, held)));
      return { keys, order, items };
    },
  };
}

export function only(item: Item, names: readonly string[]): Item {
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));
}

function inOrder(one: AttributeValue | undefined, other: AttributeValue | undefined): number {
  return one === undefined || other === undefined ? 0 : (compare(one, other) ?? 0);
}
