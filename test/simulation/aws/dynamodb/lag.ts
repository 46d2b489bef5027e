/** Milliseconds, how late a write may be seen where reads are not consistent, and how much is read at a time. */
export interface Lag {
  now(): number;
  /** From a write until one index has it. */
  ofIndexes(): number;
  /** Whether a read finds the item as it was before a write of less than a second ago. */
  isStale(): boolean;
  /** Whether a page of an index ends after an entry, although more would fit: an index may have very many. */
  isPageFull?(): boolean;
  /** From the end of an item's time to its deletion; without it, nothing is deleted. */
  ofExpiry?(): number;
}
