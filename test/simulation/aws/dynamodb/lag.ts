/** How much reads lag behind writes, in milliseconds, and how much one page holds. */
export interface Lag {
  now(): number;
  /** From a write until an index has it. */
  ofIndexes(): number;
  /** True if a read finds the item as it was before a recent write. */
  isStale(): boolean;
  /** True if an index's page ends after an entry although more would fit, as in a very large index. */
  isPageFull?(): boolean;
  /** From an item's expiry to its deletion; absent, nothing is deleted. */
  ofExpiry?(): number;
}
