/** Milliseconds, and how late a write may be seen where reads are not consistent. */
export interface Lag {
  now(): number;
  /** From a write until one index has it. */
  ofIndexes(): number;
  /** Whether a read finds the item as it was before a write of less than a second ago. */
  isStale(): boolean;
  /** From the end of an item's time to its deletion; without it, nothing is deleted. */
  ofExpiry?(): number;
}
