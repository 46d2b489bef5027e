import { type Item, isSameItem, pickAttributes } from './attribute-values.ts';
import type { Lag } from './lag.ts';
import { comparePlaces, firstThat, insert, remove } from './sorted.ts';
import type { Entry, Source } from './source.ts';

/** An entry of an index, with the part of the item that it holds. */
interface IndexEntry extends Entry {
  readonly partition: string;
  readonly item: Item;
}

/** A pending change of an index; without an entry, the item leaves the index. */
interface Coming {
  readonly at: number;
  readonly key: string;
  readonly entry: IndexEntry | undefined;
}

export interface SecondaryIndex {
  readonly source: Source;
  /** Follows a write of an item. The index gets the change a little later, in the order of the item's writes. */
  follow(key: string, item: Item | undefined): void;
  /** Returns all entries that the index has now, by sort key. */
  items(): readonly Item[];
}

/** A sparse index: of items with both of its keys it holds all keys and the named attributes. */
export function createSecondaryIndex(
  [partitionName, sortName]: readonly [string, string],
  tableKeys: readonly string[],
  alsoIn: readonly string[],
  { now, ofIndexes }: Pick<Lag, 'now' | 'ofIndexes'>,
): SecondaryIndex {
  const keys = [...new Set([partitionName, sortName, ...tableKeys])];
  const held = [...keys, ...alsoIn];
  const partitions = new Map<string, IndexEntry[]>();
  const current = new Map<string, IndexEntry>();
  /** Pending changes, in the order in which they arrive. */
  const coming: Coming[] = [];
  /** The last pending change of each item. */
  const latest = new Map<string, Coming>();

  function entryOf(key: string, item: Item | undefined): IndexEntry | undefined {
    const [partition, sort] = [item?.[partitionName]?.S, item?.[sortName]?.S];
    if (item === undefined || partition === undefined || sort === undefined) return undefined;
    return { partition, sort, key, item: pickAttributes(item, held) };
  }

  function set(key: string, entry: IndexEntry | undefined): void {
    const before = current.get(key);
    if (before !== undefined) remove(partitions.get(before.partition) ?? [], before);
    if (entry === undefined) {
      current.delete(key);
      return;
    }
    current.set(key, entry);
    const partition = partitions.get(entry.partition);
    if (partition === undefined) partitions.set(entry.partition, [entry]);
    else insert(partition, entry);
  }

  function catchUp(): void {
    if (coming.length === 0) return;
    const time = now();
    while (coming[0] !== undefined && coming[0].at <= time) {
      const arrived = coming.shift();
      if (arrived === undefined) return;
      if (latest.get(arrived.key) === arrived) latest.delete(arrived.key);
      set(arrived.key, arrived.entry);
    }
  }

  return {
    source: {
      partitionName,
      sortName,
      keys,
      partition(value) {
        catchUp();
        return partitions.get(value) ?? [];
      },
      read: ({ item }) => item,
    },

    follow(key, item) {
      catchUp();
      const entry = entryOf(key, item);
      const before = latest.get(key);
      if (isSameEntry(before === undefined ? current.get(key) : before.entry, entry)) return;
      const lateness = ofIndexes();
      if (lateness === 0 && before === undefined) {
        set(key, entry);
        return;
      }
      const at = Math.max(now() + lateness, before?.at ?? 0);
      const next = { at, key, entry };
      latest.set(key, next);
      const later = firstThat(coming, (one) => one.at > at);
      coming.splice(later, 0, next);
    },

    items() {
      catchUp();
      return [...partitions.values()]
        .flat()
        .toSorted(comparePlaces)
        .map(({ item }) => item);
    },
  };
}

function isSameEntry(one: IndexEntry | undefined, other: IndexEntry | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return isSameItem(one.item, other.item);
}
