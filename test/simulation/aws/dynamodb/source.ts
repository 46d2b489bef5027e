import type { Item } from './attribute-values.ts';
import type { Place } from './sorted.ts';

export interface Entry extends Place {
  /** As last written; `undefined` if it was deleted recently. */
  readonly item: Item | undefined;
}

/** The table or index that a query reads. */
export interface Source {
  readonly partitionName: string;
  readonly sortName: string | undefined;
  /** The attributes that decide an entry's place. */
  readonly keys: readonly string[];
  /** The entries of a partition, in order. */
  partition(value: string): readonly Entry[];
  /** Returns the item that a read finds for an entry. */
  read(entry: Entry, isConsistent: boolean): Item | undefined;
}
