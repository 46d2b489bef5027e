import type { Change } from '#test/simulation/aws/dynamodb/change.ts';

export type { Change };

/**
 * Everything that one request wrote: one change of a single write, all changes of a transaction, in the order of its legs.
 * A deletion by TTL is one of its own. What a transaction only checks is none, and so is a write that changes nothing.
 */
export type Transaction = readonly Change[];
