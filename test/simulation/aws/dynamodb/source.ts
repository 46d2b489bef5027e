import type { Item } from './attribute-values.ts';
import type { Place } from './sorted.ts';

export interface Entry extends Place {
  /** As it was written last; `undefined` for one that was deleted a moment ago. */
  readonly item: Item | undefined;
}

/** What a query reads: a table or one of its indexes. */
export interface Source {
  readonly partitionName: string;
  readonly sortName: string | undefined;
  /** Attributes that say where an entry stands. */
  readonly keys: readonly string[];
  /** The entries of a partition, in order. */
  partition(value: string): readonly Entry[];
  /** What a read finds of an entry. */
  read(entry: Entry, isConsistent: boolean): Item | undefined;
}
